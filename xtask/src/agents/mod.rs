//! Real agents, pinned: installed from npm, configured to reach nothing but this machine, and (in
//! `agents`) put through whole turns with a scripted model behind them.

mod catalog;
mod install;
mod matrix;
mod model;
mod setup;

pub(crate) use catalog::{ALL, Agent};
pub(crate) use install::program;
pub(crate) use matrix::run;
