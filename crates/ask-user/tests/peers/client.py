"""A client on the official Python SDK, version 1 or 2, whichever is installed: asks once and says what it hears.

    python client.py TOOL ARGUMENTS COMMAND [ARGUMENT...]

starts COMMAND as an MCP server on stdio, lists its tools, calls TOOL with ARGUMENTS (JSON) and prints one
JSON object a line: connected, tools, progress..., then result, or error with exit code 1. Version 2 opens
with server/discover, or as ERA says: auto or legacy. Where COMMAND is a URL it does so over Streamable HTTP,
with the token in TOKEN. SILENT=1 asks for no progress, and PATIENCE_S is how many seconds the call may take.
AGAIN=1: a call that took longer says gaveUp, and after a line of input the tool is called again, with all the
time it needs. DIALOG is what it replies to dialogs (JSON), each of which it prints; without it, it declares none.
"""

import asyncio
import json
import os
import sys
from datetime import timedelta

import mcp
from mcp.client import streamable_http

PATIENCE_S = float(os.environ.get("PATIENCE_S", "600"))


def say(**line):
    print(json.dumps(line, ensure_ascii=False), flush=True)


def plain(model):
    return model and model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def tell(progress, total, message):
    say(progress={"progress": progress, "total": total, "message": message})


heard = None if os.environ.get("SILENT") else tell


def shown():
    return {"Authorization": f"Bearer {os.environ.get('TOKEN')}"}


async def dialog(context, params):
    say(dialog=plain(params))
    return mcp.types.ElicitResult(**json.loads(os.environ["DIALOG"]))


able = {"elicitation_callback": dialog} if "DIALOG" in os.environ else {}


async def ask(call):
    try:
        return await call(PATIENCE_S)
    except mcp.MCPError if hasattr(mcp, "MCPError") else mcp.McpError as error:
        if not os.environ.get("AGAIN"):
            raise
        say(gaveUp=str(error))
    await asyncio.to_thread(sys.stdin.readline)
    return await call(600)


async def talk_v1(tool, arguments, server):
    over = streamable_http.streamablehttp_client(server, shown()) if isinstance(server, str) else mcp.stdio_client(server)
    async with over as streams, mcp.ClientSession(*streams[:2], **able) as session:
        greeting = await session.initialize()
        say(connected={"server": plain(greeting.serverInfo), "version": greeting.protocolVersion})
        say(tools=[plain(listed) for listed in (await session.list_tools()).tools])

        def call(seconds):
            return session.call_tool(tool, arguments, timedelta(seconds=seconds), progress_callback=heard)

        say(result=plain(await ask(call)))


async def talk_v2(tool, arguments, server):
    if isinstance(server, str):
        server = streamable_http.streamable_http_client(server, http_client=streamable_http.create_mcp_http_client(headers=shown()))
    era = os.environ.get("ERA", "auto")
    async with mcp.Client(server, mode=era, read_timeout_seconds=600, **able) as client:
        say(connected={"server": plain(client.server_info), "version": client.protocol_version})
        say(tools=[plain(listed) for listed in (await client.list_tools()).tools])

        def call(seconds):
            return client.call_tool(tool, arguments, seconds, progress_callback=heard)

        say(result=plain(await ask(call)))


async def main():
    tool, arguments, command, *args = sys.argv[1:]
    server = command
    if not command.startswith("http"):
        server = mcp.StdioServerParameters(command=command, args=args, env=dict(os.environ))
    talk = talk_v2 if hasattr(mcp, "Client") else talk_v1
    await talk(tool, json.loads(arguments), server)


def innermost(error):
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


try:
    asyncio.run(main())
except BaseException as error:
    error = innermost(error)
    problem = getattr(error, "error", None)
    say(error={"code": getattr(problem, "code", None), "message": str(error) or repr(error)})
    sys.exit(1)
