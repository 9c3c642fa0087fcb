//! The routes of the HTTP API, read from its OpenAPI document.

use ask_core::Json;

use super::sandbox::Sandbox;
use super::web::Web;

/// A route of the HTTP API.
pub(crate) struct Route {
    /// Its operation id.
    pub name: String,
    /// The method in capitals.
    pub method: String,
    /// The path, with its parameters in braces.
    pub path: String,
    security: Json,
}

impl Route {
    /// All routes of a sandbox's hub.
    pub(crate) fn all(sandbox: &Sandbox) -> Vec<Self> {
        let document = Web::with_token(sandbox, "answer-token").get_json("/openapi.json");
        let mut all = Vec::new();
        for (path, methods) in document["paths"].as_object().expect("paths") {
            for (method, operation) in methods.as_object().expect("methods") {
                all.push(Self {
                    name: operation["operationId"]
                        .as_str()
                        .expect("a name")
                        .to_owned(),
                    method: method.to_ascii_uppercase(),
                    path: path.clone(),
                    security: operation["security"].clone(),
                });
            }
        }
        assert!(!all.is_empty());
        all
    }

    /// The path with an existing ask and file.
    pub(crate) fn path_for(&self, id: &str, digest: &str) -> String {
        let path = self.path.replace("{id}", id).replace("{digest}", digest);
        path.replace("{request}", "nothing")
            .replace("{device}", "nothing")
    }

    /// Whether it needs no credential.
    pub(crate) fn is_open(&self) -> bool {
        self.roles().next().is_none()
    }

    /// Whether it accepts a credential.
    pub(crate) fn accepts(&self, credential: &str) -> bool {
        self.roles().any(|(name, _)| name == credential)
    }

    /// The scope that a device needs for it; `None` if devices aren't admitted.
    pub(crate) fn device_scope(&self) -> Option<&str> {
        let mut roles = self.roles();
        let (_, role) = roles.find(|(name, _)| *name == "device")?;
        role[0].as_str()
    }

    fn roles(&self) -> impl Iterator<Item = (&String, &Json)> {
        let security = self.security.as_array().expect("credentials");
        security.iter().filter_map(Json::as_object).flatten()
    }
}
