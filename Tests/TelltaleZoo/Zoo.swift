/// Objects with every kind of value that a service has, which the tests read as the build has them and
/// (a link to the same sources) always optimised.
package enum Zoo {
    /// One of them, and what it is called.
    package struct Kind: Sendable {
        package let name: String
        package let make: @Sendable () -> AnyObject
    }

    /// All of them.
    package static let kinds: [Kind] = [
        Kind(name: "locks", make: makeLocks),
        Kind(name: "atomics", make: makeAtomics),
        Kind(name: "noncopyable", make: makeNoncopyable),
        Kind(name: "dispatch", make: makeDispatch),
        Kind(name: "existentials", make: makeExistentials),
        Kind(name: "concurrency", make: makeConcurrency),
        Kind(name: "keyPaths", make: makeKeyPaths),
        Kind(name: "foundation", make: makeFoundation),
        Kind(name: "collections", make: makeCollections),
        Kind(name: "system", make: makeSystem),
        Kind(name: "classes", make: makeClasses),
        Kind(name: "library", make: makeLibrary),
        Kind(name: "resilient", make: makeResilient),
    ]
}
