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
} as const
