//! PartiQL.
