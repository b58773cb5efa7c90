//! What both sides of the benchmark share: the blasting agent, the frames, the meters.
//!
//! Standard library only, so that nothing here tilts either side.
pub mod blaster;
pub mod frames;
pub mod meter;
pub mod reader;
