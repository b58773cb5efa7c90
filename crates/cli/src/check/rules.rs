//! The rules, one row each: the ids and tiers of the official kit first, and ours after them.

mod account;
mod ahead;
mod cancel;
mod initialize;
mod keeping;
mod login;
mod options;
mod process;
mod prompt;
mod second;
mod session;
mod stored;
mod transport;

use std::pin::Pin;

pub(super) use self::initialize::decodes;

use super::{
    card::{Card, Holds},
    stand::Stand,
    verdict::{
        Tier::{Advisory, Capability, Informational, Mandatory},
        Verdict,
    },
};

/// The test of a rule.
pub(crate) type Act = for<'a> fn(&'a Stand<'a>) -> Pin<Box<dyn Future<Output = Verdict> + 'a>>;

/// A rule and its test.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    pub(crate) card: Card,
    pub(crate) act: Act,
}

macro_rules! rules {
    ($($id:literal $tier:ident $holds:ident $what:literal $noun:ident::$act:ident;)*) => {
        /// Every rule, in the order in which they are tested.
        pub(crate) const RULES: &[Rule] = &[$(Rule {
            card: Card {
                id: $id,
                tier: $tier,
                holds: Holds::$holds,
                what: $what,
            },
            act: |stand| Box::pin($noun::$act(stand)),
        },)*];
    };
}

rules! {
    "TRANSPORT-001" Mandatory Both "Every line on stdout is a message." transport::only_messages;
    "TRANSPORT-002" Mandatory Both "Requests are told apart by lines, however they are cut and joined." transport::frames_by_lines;
    "JSONRPC-001" Mandatory Both "Messages say jsonrpc 2.0, and answers have one of result and error." transport::envelope;
    "JSONRPC-002" Mandatory Both "An id that is text comes back as that text." transport::string_ids;
    "JSONRPC-003" Mandatory Both "An unknown method is refused with -32601." transport::unknown_method;
    "JSONRPC-004" Mandatory Both "Params of the wrong type are refused with -32602." transport::invalid_params;
    "JSONRPC-005" Mandatory Both "A notification is not answered, known or not." transport::notifications;
    "INIT-001" Mandatory Both "It agrees on the version that was asked for." initialize::agrees;
    "INIT-002" Mandatory Both "Asked for a newer version it answers its own latest one, and no error." initialize::newer_version;
    "INIT-003" Mandatory Both "The result of initialize has the types of the schema." initialize::capabilities;
    "INIT-004" Advisory Both "A request before initialize is refused with -32600." initialize::before_initialize;
    "SCHEMA-001" Mandatory Both "Results have the types of the schema." initialize::results_decode;
    "SCHEMA-002" Mandatory Both "What it sends by itself has the types of the schema." initialize::messages_decode;
    "SESSION-001" Mandatory Both "A new session has an id." session::opens;
    "SESSION-002" Mandatory Both "Two sessions have two ids." session::ids_differ;
    "PROMPT-001" Mandatory Both "A turn ends for a reason that the protocol knows." prompt::ends;
    "PROMPT-002" Mandatory Both "What belongs to a turn comes before its end and names its session." prompt::order;
    "PROMPT-003" Mandatory Both "A session takes one prompt after the other." prompt::again;
    "CANCEL-001" Mandatory Both "A turn that is cancelled ends as cancelled." cancel::settles;
    "CANCEL-002" Mandatory Both "Nothing of a cancelled turn comes after its end, and the session goes on." cancel::is_over;
    "LOAD-001" Capability One "Loading a session replays it before the answer." stored::load_replays;
    "LOAD-002" Capability One "An unknown session cannot be loaded." stored::load_unknown;
    "LOAD-003" Capability One "A session that was loaded takes a prompt." stored::load_continues;
    "RESUME-001" Capability Both "Resuming a session replays nothing, and it takes a prompt." stored::resume_is_silent;
    "RESUME-002" Capability Both "An unknown session cannot be resumed." stored::resume_unknown;
    "LIST-001" Capability Both "Sessions are listed once, with an id and a directory." stored::list_is_whole;
    "LIST-002" Capability Both "A list for a directory holds no session of another." stored::list_filters;
    "DELETE-001" Capability Both "A deleted session is listed no more." stored::delete_removes;
    "DELETE-002" Capability Both "Deleting a session that is not there succeeds." stored::delete_unknown;
    "CLOSE-001" Capability Both "A closed session takes no prompt." stored::close_closes;
    "CLOSE-002" Capability Both "Closing a session cancels its turn." stored::close_cancels;
    "ADDDIRS-001" Capability Both "Additional directories are taken where they are declared." session::additional_directories;
    "MODES-001" Capability One "The current mode is one of those that are available." options::modes_are_whole;
    "MODES-002" Capability One "A mode can be set, and an unknown one is refused." options::modes_can_be_set;
    "CONFIG-001" Capability Both "Config options have ids, values and a current value among them." options::options_are_whole;
    "CONFIG-002" Capability Both "Setting an option answers the whole list with the new value." options::options_can_be_set;
    "CONFIG-003" Capability Both "Unknown options and values are refused." options::options_refuse;
    "PROMPTCAP-001" Capability Both "Images are taken where they are declared." prompt::image;
    "PROMPTCAP-002" Capability Both "Audio is taken where it is declared." prompt::audio;
    "PROMPTCAP-003" Capability Both "Embedded resources are taken where they are declared." prompt::embedded;
    "AUTH-001" Capability Both "Auth methods have ids and names." login::methods_are_whole;
    "AUTH-002" Capability Both "An unknown auth method is refused." login::unknown_method_is_refused;
    "AUTH-003" Capability Both "After a login a session can be opened." login::logs_in;
    "AUTH-004" Capability Both "Logging out succeeds where it is declared." login::logs_out;
    "AUTH-005" Capability Both "A login in a terminal is offered only to clients that offer one." login::no_terminal_login;
    "CLIENTCAP-001" Mandatory One "It asks for no files that were not offered." options::no_files;
    "CLIENTCAP-002" Mandatory One "It asks for no terminal that was not offered." options::no_terminals;
    "CLIENTCAP-003" Mandatory Both "It sends no elicitation and no switch that was not offered." options::nothing_gated;
    "EXT-001" Mandatory Both "An unknown method of an extension is refused with -32601, not answered with null." transport::extension_method;
    "META-001" Mandatory Both "Members that begin with an underscore, and new ones, change nothing." transport::meta;
    "ERROR-001" Mandatory Both "Errors have a code that is an integer and a message that is text." transport::error_shape;
    "SHUTDOWN-001" Mandatory Both "It ends within 3 s when its input is closed." process::exits;
    "STDERR-001" Mandatory Both "No message of the protocol is printed on stderr." process::stderr_is_free;
    "INFO-PARSE-001" Informational Both "What it does with a line that is no JSON." transport::parse_error;
    "INFO-INVALIDREQ-001" Informational Both "What it does with JSON that is no message." transport::invalid_request;
    "INFO-UNKNOWNSESSION-001" Informational Both "With which error it refuses a prompt in an unknown session." session::unknown_session;

    "INIT-201" Mandatory Two "Asked for version 2 without info it answers -32602." initialize::info_is_needed;
    "INIT-202" Mandatory Two "Its info has a name and a version." initialize::info_is_given;
    "INIT-203" Mandatory Two "Asked for version 1 it agrees on 1, or says -32022." initialize::requests_one;
    "INIT-204" Mandatory Two "Asked for version 0 it answers -32022 with the versions that it supports." initialize::requests_zero;
    "INIT-205" Mandatory Two "Version 2 is not left for a lower one." initialize::repeats;
    "INIT-206" Mandatory Two "Capabilities are objects, never switches." initialize::markers;
    "INIT-207" Mandatory Two "Declaring sessions means all seven methods." second::seven_methods;
    "BATCH-201" Mandatory Two "An array is answered with one -32600 with a null id." transport::batch;
    "ID-201" Mandatory Two "An id that is a fraction is refused with -32600." transport::null_id;
    "STATE-201" Mandatory Two "Work begins with the state running." second::running;
    "STATE-202" Mandatory Two "The idle state that ends a turn says why, once." second::idle;
    "STATE-203" Mandatory Two "A prompt in a turn is held, not refused." second::holds_prompts;
    "PATCH-201" Mandatory Two "The answer to a prompt has the id of the message." second::message_id;
    "PATCH-202" Mandatory Two "The message of the user is echoed with that id." second::echo;
    "PATCH-203" Mandatory Two "Messages and pieces of them have ids." second::chunks_have_ids;
    "PATCH-204" Mandatory Two "A tool call goes forward only." second::tools_go_forward;
    "PATCH-205" Mandatory Two "Lists are lists, never null." second::lists_are_lists;
    "ENUM-201" Mandatory Two "Words that nobody knows yet cost nothing." second::open_words;
    "ENUM-202" Mandatory Two "It uses no words of version 1." second::no_old_words;
    "ENUM-203" Mandatory Two "Methods of version 1 do not exist." second::no_old_methods;
    "MCP-201" Mandatory Two "A server for tools of an unknown type is refused with -32602." second::unknown_server;
    "MCP-202" Mandatory Two "Two servers for tools of one name are refused with -32602." second::double_server;
    "PERM-201" Mandatory Two "A permission request has a title and options with different ids." second::permissions;
    "PROMPT-201" Mandatory Two "An empty prompt is refused with -32602, and the session goes on." session::empty_prompt;
    "RESUME-201" Mandatory Two "A replay brings the history, its marker and a state before the answer." stored::resume_replays;
    "RESUME-202" Mandatory Two "A place to replay from that is unknown is refused with -32602." stored::resume_odd_cursor;
    "LIST-201" Mandatory Two "Sessions can be listed without params." stored::list_without_params;
    "AUTH-201" Mandatory Two "Auth methods have a type." login::methods_have_types;
    "AUTH-202" Mandatory Two "Without auth methods there is no login." login::no_login_without_methods;

    "ARCHIVE-001" Capability Both "An archived session is listed where archived ones are wanted, and nowhere else." keeping::archive_hides;
    "TITLE-001" Capability Both "A title that was set is answered, and listed." keeping::titles_are_kept;
    "STATUS-001" Capability Both "It says of an open session that it is open, and refuses an unknown one." keeping::status_is_told;
    "OPTIONS-001" Capability Both "The options that are shown ahead of time are those that a session has." ahead::options_are_shown;
    "OPTIONS-002" Capability Both "Values for options that come with session/new are in force, and unknown ones are refused." ahead::options_are_set;
    "SYSPROMPT-001" Capability Both "Instructions of the host are taken as far as they are declared." ahead::instructions_are_taken;
    "SYSPROMPT-002" Advisory Both "Instructions that cannot be followed are refused with -32602, not ignored." ahead::instructions_are_not_ignored;
    "MCP-001" Capability Both "A server that the client hosts is taken where that is declared." ahead::hosted_servers_are_taken;
    "PROVIDERS-001" Capability Both "Providers have different ids and tell their APIs, and never their headers." account::providers_are_whole;
    "PROVIDERS-002" Capability Both "An unknown provider cannot be set up, and a required one cannot be turned off." account::providers_are_guarded;
    "AUTH-006" Capability Both "It says who is logged in where it declares that it can." account::login_state;

    "NUMBER-001" Mandatory Both "Ids of 0, below 0 and above 32 bits come back as they were." transport::number_ids;
    "NUMBER-002" Advisory Both "Ids that a double cannot hold come back as they were." transport::large_ids;
    "CWD-001" Mandatory Both "A relative directory is refused with -32602." session::relative_cwd;
    "LINK-001" Mandatory Both "A prompt may hold text and links without any capability." prompt::links;
    "EMPTY-001" Advisory One "After an empty prompt the session still works." session::empty_prompt;
    "TWO-001" Mandatory Both "Two sessions can work at once." session::two_at_once;
    "PURITY-001" Mandatory Both "A whole conversation holds nothing but messages." process::pure;
    "EOF-001" Mandatory Both "It ends within 3 s when its input is closed in a turn." process::exits_in_a_turn;
    "EOF-002" Advisory Both "It ends with status 0, and prints nothing but messages to the end." process::leaves_well;
    "TERM-001" Advisory Both "It ends within 2 s of SIGTERM." process::terminates;
    "LEAK-001" Mandatory Both "No process is left when it has ended." process::leaves_nothing;
    "LEAK-002" Advisory Both "Sessions that were closed leave no files open." process::holds_on_to_nothing;
    "STRESS-001" Mandatory Both "Each of 100 requests at once is answered once." process::many_requests;
    "STRESS-002" Advisory Both "Twenty sessions can be open." process::many_sessions;
    "LATENCY-001" Advisory Both "Half of small requests take less than 100 ms." process::latency;
    "UNICODE-001" Mandatory Both "A prompt may hold any character." prompt::unicode;
    "UNICODE-002" Mandatory Both "Half a surrogate pair does not end it." prompt::lone_surrogate;
    "SIZE-001" Mandatory Both "A line of 1 MiB is answered." prompt::large;
    "SIZE-002" Advisory Both "A line of 20 MiB is answered." prompt::very_large;
    "RACE-001" Mandatory Both "A cancel right behind the prompt cancels it." cancel::at_once;
    "RACE-002" Mandatory Both "A cancel that meets no turn changes nothing." cancel::idle;
    "RACE-003" Mandatory Both "Two cancels end a turn once." cancel::twice;
    "RACE-004" Mandatory Both "A cancel of one session leaves the other alone." cancel::other_session;
    "RACE-005" Mandatory Both "A turn that waits for a permission can be cancelled." cancel::with_permission;
}
