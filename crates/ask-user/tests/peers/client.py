"""A client on the official Python SDK, version 1 or 2, whichever is installed: asks once and says what it hears.

    python client.py TOOL ARGUMENTS COMMAND [ARGUMENT...]

starts COMMAND as an MCP server on stdio, lists its tools, calls TOOL with ARGUMENTS (JSON) and prints one
JSON object a line: connected, tools, progress..., then result, or error with exit code 1. Version 2 opens
with server/discover, or as ERA says: auto or legacy. DIALOG is what it replies to dialogs (JSON), each of which
it prints; without it, it declares none.
"""

import asyncio
import json
import os
import sys
from datetime import timedelta

import mcp

PATIENCE_S = 600


def say(**line):
    print(json.dumps(line, ensure_ascii=False), flush=True)


def plain(model):
    return model and model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def heard(progress, total, message):
    say(progress={"progress": progress, "total": total, "message": message})


async def dialog(context, params):
    say(dialog=plain(params))
    return mcp.types.ElicitResult(**json.loads(os.environ["DIALOG"]))


ABLE = {"elicitation_callback": dialog} if "DIALOG" in os.environ else {}


async def talk_v1(tool, arguments, server):
    async with mcp.stdio_client(server) as streams, mcp.ClientSession(*streams, **ABLE) as session:
        greeting = await session.initialize()
        say(connected={"server": plain(greeting.serverInfo), "version": greeting.protocolVersion})
        say(tools=[plain(listed) for listed in (await session.list_tools()).tools])
        limit = timedelta(seconds=PATIENCE_S)
        say(result=plain(await session.call_tool(tool, arguments, limit, progress_callback=heard)))


async def talk_v2(tool, arguments, server):
    era = os.environ.get("ERA", "auto")
    async with mcp.Client(server, mode=era, read_timeout_seconds=PATIENCE_S, **ABLE) as client:
        say(connected={"server": plain(client.server_info), "version": client.protocol_version})
        say(tools=[plain(listed) for listed in (await client.list_tools()).tools])
        say(result=plain(await client.call_tool(tool, arguments, progress_callback=heard)))


async def main():
    tool, arguments, command, *args = sys.argv[1:]
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
