import { channelLimits } from '@svc/channel/limits'
import { secretNameLength } from '@svc/facts'

/** The numbers of the service, each written once. */
export const limits = {
  requestDeadlineMs: 25_000,
  pageDefault: 50,
  pageMax: 200,
  jsonBodyBytes: 4 * 1024 * 1024,
  /** Of JSON of any form: what stores and reads it goes down by recursion. */
  jsonDepth: 1_000,
  proxyPerMinute: 600,
  signInPerMinute: 30,
  previewTicketSeconds: 60,
  previewSeconds: 43_200,
  previewsPerPerson: 16,
  oauthAccessTokenSeconds: 3_600,
  leaseTtlSeconds: 120,
  leaseRenewSeconds: 20,
  userContextTtlSeconds: 60,
  patchBytes: 8 * 1024 * 1024,
  secretNameLength,
  secretValueBytes: 64 * 1024,
  secretWritesPerHour: 100,
  promptBytes: 256 * 1024,
  titleLength: 500,
  descriptionLength: 65_536,
  runtimeContextKeys: 64,
  runtimeContextValueLength: 4096,
  runtimeContextBytes: 16 * 1024,
  connectorBindings: 64,
  sessionSecretNames: 128,
  providerPools: 100,
  providerPoolKeys: 10,
  reviewTitleLength: 200,
  reviewSummaryBytes: 64 * 1024,
  reviewFiles: 50,
  reviewOptions: 9,
  channelTextLength: channelLimits.textChars,
  channelFiles: channelLimits.files,
  /** Of a message with its files, and what stands between them. */
  channelUploadBytes: channelLimits.filesBytes + 1024 * 1024,
  channelConversations: 100,
  labels: 20,
  labelLength: 64,
  startWaitMs: 20_000,
  branchCutMs: 5_000,
  /** Options or commands that an agent tells of itself. */
  runtimeFacts: 500,
  /** Of the id of a reported event, and of the word with which an agent ends a turn. */
  eventIdChars: 128,
  stopReasonChars: 255,
} as const
