import { maxFileBytes } from '@svc/facts'

/** Bounds of channels, as the document has them. */
export const channelLimits = {
  channelsOfAccount: 100,
  conversations: 100,
  /** Of one sender, each minute. */
  messagesPerMinute: 30,
  /** Of one sender, each hour. */
  sessionsPerHour: 10,
  /** Earlier messages that an agent is shown. */
  earlierMessages: 20,
  /** Of an answer in a thread; the whole stands in the session. */
  answerChars: 12_000,
  /** The time for which a message waits for a link. */
  linkMinutes: 10,
  /** The time for which the owner of a thread is asked about another writer. */
  askMinutes: 30,
  bodyBytes: 1024 * 1024,
  /** Of a message, in or out; the rest of a longer one that comes in is a file. */
  textChars: 40_000,
  /** Of one message, in or out. */
  files: 10,
  fileBytes: maxFileBytes,
  /** Of one message, together. */
  filesBytes: 50 * 1024 * 1024,
  /** The time for which the content of a file is kept. */
  fileDays: 7,
} as const
