/// The version of the client.
package enum ClientVersion {
    /// The version as it is shown.
    package static let text = "0.1.0"
}
