#if TELLTALE_AGENT
/// Foundation classes that contain only data, such as characters, numbers and dates. A word in one of their
/// objects or buffers that looks like a reference is data, or stale memory.
enum DataOnly {
    /// Returns true if objects of this class, given by its qualified name, retain nothing.
    static func has(_ name: String) -> Bool { classes.contains(name) }

    /// `NSData` is left out because it may have a deallocator, `NSError` and `NSNotification` because they
    /// hold any objects that they were given.
    private static let classes: Set<String> = Set(
        [
            "NSCharacterSet", "NSMutableCharacterSet", "_NSCFCharacterSet", "NSString",
            "NSMutableString", "NSConstantString", "NSSimpleCString", "NSNumber", "NSDecimalNumber",
            "NSDate", "NSTimeZone", "NSLocale", "NSCalendar",
            "NSDateComponents", "NSURL", "NSURLComponents", "NSUUID", "NSRegularExpression",
            "NSIndexSet", "NSMutableIndexSet", "NSIndexPath", "NSScanner",
        ].map { "Foundation.\($0)" })
}
#endif
