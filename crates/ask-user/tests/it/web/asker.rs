//! Who asks over HTTP, as the query says: known parameters, once each, and an absolute path.

use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, kind};

#[test]
fn the_asker_query_is_parsed_or_refused() {
    let sandbox = Sandbox::new();
    let agent = Web::with_token(&sandbox, "token");
    let call = r#"{"question":"Ship it?"}"#;
    for (query, said) in [
        (
            "direktory=/x",
            "Unknown query parameter `direktory`. Known: client, agent, session, instance, project, directory.",
        ),
        ("agent=a&agent=b", "Query parameter `agent` is repeated."),
        (
            "directory=rel/path",
            "directory: must be an absolute path, such as /srv/shop, not \"rel/path\"",
        ),
    ] {
        let refused = agent.expect_status(400, "POST", &format!("/v1/asks?{query}"), call);
        assert_eq!(kind(&refused), "malformed", "{query}");
        let detail = text(&refused, "detail");
        assert!(detail.starts_with(said), "{query}: {detail}");
    }
    let listed = Web::with_token(&sandbox, "answer-token").get_json("/v1/asks");
    assert_eq!(listed["asks"].as_array().map(Vec::len), Some(0), "{listed}");
    // An empty parameter is ignored: a shell variable may be empty.
    let asked = agent.expect_status(201, "POST", "/v1/asks?agent=&directory=/srv/shop", call);
    assert_eq!(asked["asker"]["directory"], "/srv/shop");
}
