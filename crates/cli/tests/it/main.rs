//! The program from outside: what it prints, where, and how it ends.

mod agents;
#[cfg(unix)]
mod books;
mod chatting;
mod check;
mod choosing;
mod coloured;
mod command_line;
mod configured;
mod deciding;
mod describe;
mod doctor;
mod forms;
mod leniently;
mod logins;
mod mock;
mod newcomer;
mod offline;
mod probe;
mod program;
mod records;
mod rules;
mod run;
mod services;
mod signals;
mod stored;
mod terminal;
mod terminal_login;
mod then;
