/// The version of the client.
package enum ClientVersion {
    package static let text = "0.1.0"
}
