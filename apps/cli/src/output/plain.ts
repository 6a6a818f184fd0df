const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text from elsewhere, made unable to move the cursor, colour or reorder what the reader sees. Keeps newlines and tabs. */
export function plain(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(unsafe, '\ufffd')
}

/** The same on one line. */
export function oneLine(text: string): string {
  return plain(text).replace(/\s+/g, ' ').trim()
}
