//! What each agent is told to stay on this machine: files below its home folder, and variables.
//!
//! Where an agent insists on a key, it gets a word that is no key.

use serde_json::json;

/// Files below the agent's home folder, and environment variables.
pub(super) type Setup = (Vec<(&'static str, String)>, Vec<(&'static str, String)>);

fn variables(pairs: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    pairs
        .iter()
        .map(|(name, value)| (*name, (*value).to_owned()))
        .collect()
}

pub(super) fn claude(model: &str) -> Setup {
    let environment = variables(&[
        // Root may not bypass permissions, unless it says that it runs in a sandbox.
        ("IS_SANDBOX", "1"),
        ("ANTHROPIC_API_KEY", "none"),
        ("ANTHROPIC_BASE_URL", model),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("CLAUDE_CODE_MAX_RETRIES", "1"),
        ("DISABLE_ERROR_REPORTING", "1"),
        ("ENABLE_TOOL_SEARCH", "false"),
    ]);
    (Vec::new(), environment)
}

pub(super) fn codex(model: &str) -> Setup {
    let config = format!(
        "model = \"gpt-5.5\"\n\
         model_provider = \"local\"\n\
         check_for_update_on_startup = false\n\
         [model_providers.local]\n\
         name = \"local\"\n\
         base_url = \"{model}/v1\"\n\
         wire_api = \"responses\"\n\
         env_key = \"OPENAI_API_KEY\"\n\
         request_max_retries = 1\n\
         stream_max_retries = 1\n"
    );
    let environment = variables(&[
        ("OPENAI_API_KEY", "none"),
        ("CODEX_API_KEY", "none"),
        ("NO_BROWSER", "1"),
    ]);
    (vec![(".codex/config.toml", config)], environment)
}

pub(super) fn copilot(model: &str) -> Setup {
    let address = format!("{model}/v1");
    let environment = variables(&[
        ("COPILOT_OFFLINE", "true"),
        ("COPILOT_PROVIDER_BASE_URL", &address),
        ("COPILOT_PROVIDER_API_KEY", "none"),
        ("COPILOT_PROVIDER_TYPE", "openai"),
        ("COPILOT_MODEL", "local-model"),
        ("COPILOT_AUTO_UPDATE", "false"),
    ]);
    (Vec::new(), environment)
}

pub(super) fn gemini(model: &str) -> Setup {
    let settings = json!({
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"disableAutoUpdate": true, "enableAutoUpdate": false},
        "privacy": {"usageStatisticsEnabled": false},
        "telemetry": {"enabled": false},
    });
    let files = vec![
        (".gemini/settings.json", settings.to_string()),
        (".gemini/trustedFolders.json", "{}".to_owned()),
    ];
    let environment = variables(&[
        ("GEMINI_API_KEY", "none"),
        ("GOOGLE_GEMINI_BASE_URL", model),
        ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
    ]);
    (files, environment)
}

pub(super) fn opencode(model: &str) -> Setup {
    let config = json!({
        "autoupdate": false,
        "share": "disabled",
        "model": "local/local-model",
        "small_model": "local/local-model",
        "enabled_providers": ["local"],
        "permission": {"edit": "ask", "bash": "ask", "webfetch": "ask"},
        "provider": {"local": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Local",
            "options": {"baseURL": format!("{model}/v1"), "apiKey": "none"},
            "models": {"local-model": {
                "name": "Local",
                "tool_call": true,
                "reasoning": true,
                "limit": {"context": 200_000, "output": 8_000},
                "variants": {
                    "high": {"reasoningEffort": "high"},
                    "low": {"reasoningEffort": "low"},
                },
            }},
        }},
    });
    let environment = variables(&[
        ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
        ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
        ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
    ]);
    (
        vec![(".config/opencode/opencode.json", config.to_string())],
        environment,
    )
}

pub(super) fn qwen(model: &str) -> Setup {
    let settings = json!({
        "security": {"auth": {"selectedType": "openai"}},
        "general": {"disableAutoUpdate": true, "enableAutoUpdate": false},
        "privacy": {"usageStatisticsEnabled": false},
        "telemetry": {"enabled": false},
        "model": {"name": "local-model"},
    });
    let address = format!("{model}/v1");
    let environment = variables(&[
        ("OPENAI_API_KEY", "none"),
        ("OPENAI_BASE_URL", &address),
        ("OPENAI_MODEL", "local-model"),
    ]);
    (
        vec![(".qwen/settings.json", settings.to_string())],
        environment,
    )
}
