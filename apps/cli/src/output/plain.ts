const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text from elsewhere, made unable to move the cursor, colour or reorder what the reader sees. Keeps newlines and tabs. */
export function plain(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(unsafe, '\ufffd')
}

const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Text from elsewhere whose characters that cannot be seen are written out, such as `\u202e`. Keeps newlines and tabs. */
export function visible(text: string): string {
  return text.replace(unseen, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Text from elsewhere on one line, as `plain` makes it. */
export function oneLine(text: string): string {
  return plain(text).replace(/\s+/g, ' ').trim()
}
