//! What those who read actors and those who look for their classes share.
#ifndef CTELLTALE_ACTORS_H
#define CTELLTALE_ACTORS_H

enum {
    /// The bytes of a `DefaultActorImpl`, of swift-6.3.1-RELEASE.
    actor_size = 112,
};

#endif
