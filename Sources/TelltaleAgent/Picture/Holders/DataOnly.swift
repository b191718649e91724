#if TELLTALE_AGENT
/// Classes of Foundation's that have data and nothing else: characters, numbers, dates. What looks like a
/// reference in one, or in a buffer of its own, is data, or what the memory had before.
enum DataOnly {
    /// Whether no way goes through an object of this class, by its qualified name.
    static func has(_ name: String) -> Bool { classes.contains(name) }

    /// `NSData` is none of them: it may have a deallocator. Nor are `NSError` and `NSNotification`, which have
    /// whatever they were given.
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
