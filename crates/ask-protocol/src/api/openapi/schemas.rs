//! What bodies hold, as JSON Schema.

use serde_json::json;

use crate::native;
use ask_core::Json;

/// Every schema by its name.
pub(super) fn all() -> Json {
    json!({
        "Problem": problem(),
        "Key": {"type": "object", "required": ["key"], "properties": {"key": {"type": "string"}}},
        "Call": call(),
        "Record": record(),
        "Question": question(),
        "Asks": {
            "type": "object", "required": ["asks"],
            "properties": {
                "asks": {"type": "array", "items": to("Record")},
                "cursor": {"type": "integer", "description": "Of what waits: where the feed stood"},
                "now": moment("Of what waits: what time it is"),
                "day": {"type": "object", "properties": {"answered": {"type": "integer"}, "muted": {"type": "boolean"}, "more": {"type": "integer"}}},
                "before": {"type": "integer", "description": "Of what is over: leads to the next page"},
            },
        },
        "Reply": reply(),
        "Answer": answer(),
        "Draft": {
            "type": "object", "required": ["answers"],
            "properties": {
                "answers": {"type": "array", "items": to("Answer")}, "note": text("To the agent, about no single question"),
                "savedAt": moment("Of one that is kept: when it was saved"), "savedBy": text("Of one that is kept: where"),
                "revision": {"type": "integer", "description": "Of one that is kept: its number, for `builtOn`"},
            },
        },
        "KeptDraft": {
            "type": "object", "required": ["draft"],
            "properties": {"draft": to("Draft"), "builtOn": {"type": "integer", "description": "The revision that it was built on, 0 for none; left out, the last that is saved wins"}},
        },
        "Revision": {"type": "object", "required": ["revision"], "properties": {"revision": {"type": "integer"}}},
        "Answering": {
            "type": "object", "description": "Either draft or answers",
            "properties": {
                "draft": to("Draft"),
                "answers": {"type": "array", "description": "In the order of the questions: strings, lists, null; or native answers", "items": stated()},
                "note": text("With answers: to the agent, about no single question"),
                "leaveGaps": {"type": "boolean", "description": "Whether required questions may stay without an answer"},
            },
        },
        "Declining": {"type": "object", "properties": {"reason": {"type": "string"}}},
        "Clarifying": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}},
        "Until": {"type": "object", "properties": {"until": {"type": ["string", "null"], "description": "A time in RFC 3339; to put aside also asked-again or null"}}},
        "Settled": {"type": "object", "required": ["won", "record"], "properties": {"won": {"const": true}, "record": to("Record")}},
        "Forgotten": {
            "type": "object", "required": ["count", "untold"],
            "properties": {
                "count": {"type": "integer", "description": "How many were removed, or would be"},
                "untold": {"type": "integer", "description": "How many stay, since no agent has been told how they ended"},
            },
        },
        "File": file(),
        "Presence": {
            "type": "object",
            "properties": {
                "focused": {"type": "boolean"},
                "rings": {"type": "boolean", "description": "Whether the page makes itself heard while it has no focus"},
                "input": {"type": "boolean", "description": "Whether a key was just pressed there"},
            },
        },
        "Paths": paths(),
        "Session": {
            "type": "object", "required": ["encrypted", "local"],
            "properties": {
                "device": {"type": "object", "description": "Left out for a browser of this machine", "properties": {"name": {"type": "string"}, "scope": scope()}},
                "encrypted": {"type": "boolean", "description": "Whether nobody on the way can read along"},
                "local": {"type": "boolean", "description": "Whether it comes from the hub's own machine"},
            },
        },
        "Invited": {
            "type": "object", "description": "Either secret or code",
            "properties": {"secret": text("What follows `/pair#` in the link"), "code": text("Six digits"), "name": text("What the device calls itself")},
        },
        "Paired": {
            "type": "object", "required": ["request", "number", "until"],
            "properties": {"request": text("What the device asks after it with"), "number": text("Two digits that the computer shows, too"), "until": moment("Until when the person may say yes")},
        },
        "PairState": {
            "type": "object", "required": ["state"],
            "properties": {"state": {"enum": ["waiting", "allowed", "refused", "over", "anew"]}, "scope": scope()},
        },
        "Pairing": pairing(),
        "PairingOn": {
            "type": "object",
            "properties": {
                "address": text("One of this machine; the one that leads out if left out"),
                "forMs": {"type": ["integer", "null"], "description": "For so many milliseconds; null: until it is turned off"},
                "scope": scope(),
            },
        },
        "Decision": {"type": "object", "required": ["allow"], "properties": {"allow": {"type": "boolean"}, "scope": scope()}},
        "Switch": {"type": "object", "required": ["on"], "properties": {"on": {"type": "boolean"}}},
    })
}

fn paths() -> Json {
    json!({
        "type": "object", "required": ["paths", "total", "ended", "readable"],
        "properties": {
            "paths": {"type": "array", "description": "At most 50, below the folder, the best first", "items": {"type": "object", "required": ["shown", "text"], "properties": {
                "shown": text("Safe to show"), "text": text("As it can stand among words: in quotes where it would fall apart, without what can't be typed or seen")}}},
            "total": {"type": "integer", "description": "How many fit"},
            "ended": {"type": "boolean", "description": "Whether no more come; else the same request again tells of more"},
            "cut": {"type": "integer", "description": "How many files were looked at, where there are more"},
            "readable": {"type": "boolean", "description": "Whether the folder is known, is there and can be read"},
        },
    })
}

fn to(name: &str) -> Json {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn text(does: &str) -> Json {
    json!({"type": "string", "description": does})
}

fn moment(does: &str) -> Json {
    json!({"type": "string", "format": "date-time", "description": does})
}

fn scope() -> Json {
    json!({"enum": ["answer", "see"]})
}

fn pairing() -> Json {
    json!({
        "type": "object", "required": ["on", "encrypted", "addresses", "requests", "devices"],
        "properties": {
            "on": {"type": "boolean"}, "until": moment("Left out until it is turned off"), "url": text("Where devices come"),
            "encrypted": {"type": "boolean"}, "remark": text("What should be known of it: the port is another one than usual"),
            "addresses": {"type": "array", "items": {"type": "object", "properties": {"address": {"type": "string"}, "name": {"type": "string"}}}},
            "invitation": {"type": "object", "description": "Lets one device ask to be let in", "properties": {
                "url": {"type": "string"}, "code": text("For typing; left out once too many wrong ones were tried"), "until": moment("Until when"),
                "svg": {"type": "object", "description": "The QR code of the url: modules on each side, and the path of what is dark", "properties": {"size": {"type": "integer"}, "path": {"type": "string"}}}}},
            "requests": {"type": "array", "items": {"type": "object", "properties": {
                "id": {"type": "string"}, "name": {"type": "string"}, "address": {"type": "string"}, "number": {"type": "string"},
                "scope": scope(), "since": moment("Since when"), "until": moment("Until when the person may say yes")}}},
            "devices": {"type": "array", "items": {"type": "object", "properties": {
                "id": {"type": "string"}, "name": {"type": "string"}, "scope": scope(), "since": moment("Since when"),
                "lastSeen": moment("When it was last heard of"), "until": moment("Until when"), "here": {"type": "boolean", "description": "Whether its page listens now"},
                "stranded": {"type": "boolean", "description": "Whether it was let in on another way than devices come by now, and has to be let in anew"}}}},
        },
    })
}

/// What the native tool takes; one question may stand there by itself.
fn call() -> Json {
    let contract = crate::text_json(native::CALL_CONTRACT).unwrap_or_default();
    let mut schema = contract["inputSchema"].clone();
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("$schema");
        schema.remove("required");
        let alone = schema["properties"]["questions"]["items"]["properties"].clone();
        if let (Some(Json::Object(all)), Json::Object(alone)) =
            (schema.get_mut("properties"), alone)
        {
            all.extend(alone);
        }
        let either = ["questions", "question"].map(|name| json!({"required": [name]}));
        schema.insert("anyOf".to_owned(), either.into_iter().collect());
    }
    schema
}

fn problem() -> Json {
    json!({
        "type": "object", "description": "RFC 9457", "required": ["type", "title", "status", "detail", "instance"],
        "properties": {
            "type": text("urn:ask-user:problem: and the kind"),
            "title": text("What kind of problem it is"),
            "status": {"type": "integer"},
            "detail": text("What happened, and what to do"),
            "instance": text("The request, as in X-Request-Id and in the log"),
            "record": to("Record"),
            "problems": {"type": "array", "items": {"type": "object", "properties": {
                "question": {"type": "integer", "description": "Counted from 1"},
                "questionId": {"type": "string"}, "path": {"type": "string"}, "text": {"type": "string"}}}},
            "triesLeft": {"type": "integer", "description": "Of a wrong code: how often another may be tried in its place"},
            "anotherCode": {"type": "boolean", "description": "Of a wrong code: whether the computer shows another one after the last try"},
        },
    })
}

fn record() -> Json {
    json!({
        "type": "object", "description": "An ask with where it stands; what is absent is left out",
        "required": ["askId", "state", "questions", "asker", "dialect", "askedAt"],
        "properties": {
            "askId": {"type": "string"},
            "state": {"enum": ["waiting", "answered", "declined", "clarify", "expired", "withdrawn"]},
            "delivered": {"type": "boolean", "description": "Whether its agent was told how it ended"},
            "title": {"type": "string"}, "context": text("Markdown"),
            "questions": {"type": "array", "items": to("Question")},
            "asker": {"type": "object", "description": "client, clientVersion, agent, session, instance, project, directory, branch"},
            "timeout": {"type": "integer", "description": "For how many milliseconds its agent wanted to wait"},
            "dialect": {"type": "string"}, "askedAt": moment("When it was asked"), "deadlineAt": moment("When the clock closes it"),
            "outcome": to("Reply"), "reply": text("What its agent got, or gets, in its own wording; not for agents"), "answeredBy": text("Where it was closed"), "answeredDevice": text("By which device, where it was one"), "answeredAt": moment("When it was closed"), "deliveredAt": moment("When its agent was told"),
            "attempt": {"type": "integer", "description": "Which attempt closed it"},
            "awaited": {"type": "boolean", "description": "Whether its agent was to come back for it by itself, and still had time: then it was closed in time, whenever the agent is told"},
            "shownOn": text("Where its person saw it last; not for agents"), "shownAt": moment("And when"),
            "askedAgainAt": moment("When its agent asked the same again"),
            "inClient": {"enum": ["dialog", "handed"], "description": "How its agent's client asks it, too"},
            "draft": to("Draft"), "waiters": {"type": "integer", "description": "How many calls wait for it"},
            "snoozedUntil": text("A time, or asked-again"), "metadata": {},
            "shown": {"type": "object", "description": "Safe to show: title, asker, and of a single ask its Markdown as trees"},
            "end": {"enum": ["answered", "late", "declined", "ask-back", "expired", "withdrawn"], "description": "In a history"},
        },
    })
}

/// A native answer, or one as pi's replies have it. What a reply says can be sent as it stands.
fn stated() -> Json {
    json!({
        "description": "Of a native answer these fields",
        "properties": {
            "questionId": text("Whose answer it is; else that of the question in its place"),
            "values": {"description": "Labels of choices, or texts"}, "customText": text("In own words"),
            "note": text("A remark"), "attachments": {"type": "array", "items": to("File")},
            "status": text("As replies have it; `answered` without values says none of these, where many may be picked"),
            "question": text("As replies have it; not read"),
            "answer": {"description": "As replies of pi have it"}, "selectedOption": {"description": "Likewise"}, "wasCustom": {"description": "Likewise"},
        },
    })
}

fn reply() -> Json {
    json!({
        "type": "object", "description": "The native reply", "required": ["askId", "answered"],
        "properties": {
            "askId": {"type": "string"}, "answered": {"type": "boolean"},
            "cancelled": {"type": "boolean", "description": "Whether the person declined"}, "reason": text("Why they did"),
            "timedOut": {"type": "boolean"}, "withdrawn": {"type": "boolean"},
            "clarify": text("What the person asked back"),
            "answers": {"type": "array", "description": "One for each question, in their order; docs/dialects.md says what is in them", "items": {"type": "object"}},
            "note": text("From the person, about no single question"),
        },
    })
}

fn question() -> Json {
    json!({
        "type": "object", "required": ["questionId", "question", "type", "required"],
        "properties": {
            "questionId": {"type": "string"}, "question": text("Markdown"), "header": {"type": "string"},
            "type": {"enum": ["text", "select", "multi-select", "confirm"]},
            "options": {"type": "array", "items": {"type": "object", "properties": {
                "label": {"type": "string"}, "description": {"type": "string"}, "preview": text("Markdown")}}},
            "required": {"type": "boolean"}, "placeholder": {"type": "string"}, "default": {"type": "string"},
        },
    })
}

fn answer() -> Json {
    json!({
        "type": "object",
        "properties": {
            "picks": {"type": "array", "items": {"type": "integer"}, "description": "Indices of choices, from 0"},
            "own": text("In own words"), "note": text("A remark"),
            "none": {"type": "boolean", "description": "None of these; only where many may be picked"},
            "attachments": {"type": "array", "items": to("File")},
        },
    })
}

fn file() -> Json {
    json!({
        "type": "object", "required": ["name", "mediaType", "bytes", "sha256"],
        "properties": {
            "name": {"type": "string"}, "mediaType": {"type": "string"}, "bytes": {"type": "integer"},
            "sha256": {"type": "string"}, "path": text("Where a copy of it lies, for its agent"), "width": {"type": "integer"}, "height": {"type": "integer"},
        },
    })
}
