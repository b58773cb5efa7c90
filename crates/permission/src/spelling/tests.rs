//! How rules are read, by table, and that every error names the culprit.
use super::read_list;

#[track_caller]
fn check(list: &str, expected: &str) {
    let shown = match read_list(list) {
        Ok(scopes) => scopes
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" | "),
        Err(error) => format!("error: {error}"),
    };
    assert_eq!(shown, expected, "{list:?}");
}

#[test]
fn rules_are_read() {
    check("read,edit", "read | edit");
    check(" read , edit ", "read | edit");
    check("execute:git *", "execute:git *");
    check("edit:src/**,read", "edit:src/** | read");
    check(r"execute:sort -t \, x", "execute:sort -t , x");
    check(r"path:C:\work\**", r"path:C:\work\**");
    check("mcp:docs", "mcp:docs/*");
    check("mcp:docs/find", "mcp:docs/find");
    check("title:Read *", "title:Read *");
    check("any", "any");
    check("switch_mode", "switch_mode");
    check("execute:*", "execute:*");
}

#[test]
fn errors_name_the_culprit() {
    check(
        "",
        "error: a rule is missing: write for example `read` or `execute:git *`",
    );
    check(
        "read,,edit",
        "error: a rule is missing: write for example `read` or `execute:git *`",
    );
    check(
        "raed",
        "error: `raed` is no kind of tool; known are read, edit, delete, move, search, execute, think, fetch, switch_mode, other, mcp, path, title and any",
    );
    check(
        "think:hard",
        "error: `think` takes no pattern, but `hard` was given",
    );
    check("any:x", "error: `any` takes no pattern, but `x` was given");
    check("edit:", "error: `edit` needs a pattern: `edit:...`");
    check("path", "error: `path` needs a pattern: `path:...`");
    check(
        "edit:~/x",
        "error: `~/x` is not expanded here: write the path out",
    );
    check(
        "execute:git log; ls",
        "error: `git log; ls` is not one plain command: write the words it begins with",
    );
    check(
        "execute:$(x)",
        "error: `$(x)` is not one plain command: write the words it begins with",
    );
}
