/** The folder of a workspace in which files lie that came with messages, a folder for each message. */
export const inboxFolder = '.svc/inbox'

/** The name of a file there: one of no folder and no path. */
export const fileNamePattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,120}$/

/** The bytes of one file. */
export const maxFileBytes = 20 * 1024 * 1024
