//! `acp man`: a page for the program, one for each verb and one for each verb below a verb.

use std::{fs, io, path::Path};

use clap::{Command, CommandFactory as _};

use crate::{exit::Exit, lowargs::Low, lowargs::Man};

/// Writes the pages.
pub(crate) fn man(args: &Man) -> io::Result<Exit> {
    fs::create_dir_all(&args.dir)?;
    let mut program = Low::command().disable_help_subcommand(true);
    program.build();
    write(&args.dir, &program, "acp")?;
    below(&args.dir, &program, "acp")?;
    Ok(Exit::Ok)
}

fn below(dir: &Path, command: &Command, name: &str) -> io::Result<()> {
    let verbs = command.get_subcommands();
    for verb in verbs.filter(|verb| verb.get_name() != "help") {
        let name = format!("{name}-{}", verb.get_name());
        write(dir, verb, &name)?;
        below(dir, verb, &name)?;
    }
    Ok(())
}

fn write(dir: &Path, command: &Command, name: &str) -> io::Result<()> {
    let mut page = Vec::new();
    // Without a date two builds of one version write the same page.
    clap_mangen::Man::new(command.clone())
        .title(name.to_uppercase())
        .render(&mut page)?;
    fs::write(dir.join(format!("{name}.1")), page)
}
