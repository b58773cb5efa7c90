//! Choosing on the session results of real agents, by the rules, and on anything at all.

#[cfg(test)]
mod agents;
#[cfg(test)]
mod answers;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod choosing;
#[cfg(test)]
mod properties;
