import Dispatch

let settings = Settings()
let manager = PhotoManager(photos: settings.photos)
let crowd = Crowd(threads: settings.threads, manager: manager)
if settings.hasAgent { Introspection.start(manager, settings) }

Control(manager: manager, crowd: crowd, threads: settings.threads).run()
