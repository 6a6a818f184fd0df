import { z } from '@hono/zod-openapi'
import { commitShaPattern, tierPattern } from '@svc/facts'

const described = (description: string) => ({ description })

export const AccountId = z.uuid().openapi(described('The account'))
export const UserId = z.uuid().openapi(described('The person, or the service account'))
export const RoleId = z.uuid().openapi(described('The custom role'))
export const GroupId = z.uuid().openapi(described('The group of the directory'))
export const ServiceAccountId = z.uuid().openapi(described('The service account'))
export const InvitationId = z.uuid().openapi(described('The invitation, by its id and never by its token'))
export const ProjectId = z.uuid().openapi(described('The project'))
export const SessionId = z.uuid().openapi(described('The session; also the name of its branch'))
export const PromptId = z.uuid().openapi(described('The prompt'))
export const RequestId = z
  .string()
  .min(1)
  .max(255)
  .openapi(described('The `request_id` of the question or permission event'))
export const BrowserSessionId = z.uuid().openapi(described('The browser session'))
export const ReviewId = z.uuid().openapi(described('The review item'))
export const BudgetId = z.uuid().openapi(described('The budget'))
export const PaymentAdapterName = z
  .string()
  .min(1)
  .max(64)
  .openapi(described('The payment provider, such as `stripe`'))
export const SubscriptionId = z.uuid().openapi(described('The subscription to events'))
export const EventDeliveryId = z.uuid().openapi(described('The delivery of an event'))
export const CallId = z.uuid().openapi(described('The model call'))
export const PlanTier = z
  .string()
  .regex(tierPattern, 'must be the name of a plan')
  .openapi(described('The plan, by its name'))
export const InboxItemId = z.string().min(3).max(512).openapi(described('The item, as `<kind>:<id>`'))
export const TokenId = z.uuid().openapi(described('The token, by its id and never by its secret'))
export const ProviderSlugParam = z.string().min(1).max(64).openapi(described('The provider, by its slug'))
export const HarnessName = z.string().min(1).max(64).openapi(described('The harness, by its name'))
export const AppName = z.string().min(1).max(128).openapi(described('The app, by its name in the manifest'))
export const ReleaseNumber = z
  .union([z.uuid(), z.string().regex(/^[1-9][0-9]{0,8}$/)], 'must be a number or a uuid')
  .openapi({ description: 'The release, by its number in the app or its `release_id`', type: 'string' })
export const ConnectorSlug = z.string().min(1).max(128).openapi(described('The connector, by its slug'))
export const ConnectorCallId = z.uuid().openapi(described('The call of a connector, by its id'))
export const ChannelSlug = z.string().min(1).max(128).openapi(described('The channel, by its slug'))
export const ChannelId = z.uuid().openapi(described('The channel, by its id'))
export const ChannelDeliveryId = z.uuid().openapi(described('The delivery of the channel'))
export const ChannelLinkId = z.uuid().openapi(described('The link of a person and a sender'))
export const ProviderKeyId = z.uuid().openapi(described('The key of the provider, by its id'))
export const CommitSha = z
  .string()
  .regex(commitShaPattern, 'must be the 40 hexadecimal digits of a commit')
  .openapi(described('The commit, by its whole SHA'))
export const SecretName = z
  .string()
  .min(1)
  .max(255)
  .openapi(described('The name, as the environment variable is called'))

export const IdempotencyKey = z
  .string()
  .optional()
  .openapi(described('1 to 255 of `A-Z a-z 0-9 . _ : + / = -`, unique across the service'))
export const PromptKey = z
  .string()
  .optional()
  .openapi(described('1 to 255 of `A-Z a-z 0-9 . _ : + / = -`, unique to the sender in this session'))
export const Prefer = z
  .string()
  .optional()
  .openapi(described('`respond-async` queues the create and answers 202'))
export const Accept = z
  .string()
  .optional()
  .openapi(described('`text/event-stream` for a stream, else one page of JSON'))
export const TranscriptAccept = z
  .string()
  .optional()
  .openapi(described('`text/markdown` for people, else JSON'))
export const SpendAccept = z.string().optional().openapi(described('`text/csv` for CSV, else JSON'))
export const LastEventId = z
  .string()
  .optional()
  .openapi(described('The `id` of the last event that arrived: the stream goes on behind it'))

export const Limit = (min: number, max: number, fallback: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback).openapi(described('How many at most'))
export const Cursor = z
  .string()
  .max(1024)
  .optional()
  .openapi(described('Where the last page ended, as it was given'))
export const After = z.coerce
  .number()
  .int()
  .min(0)
  .default(0)
  .openapi(described('The `seq` behind which to begin'))
export const FolderPath = z.string().max(4096).default('').openapi(described('A folder; empty for the root'))
export const FilePath = z.string().min(1).max(4096).openapi(described('The path of the file'))

/** A whole commit id, as a caller expects it: a short one could come to mean another commit. */
export const CommitId = z
  .string()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'must be a whole commit id')
  .openapi(described('A whole git commit id'))
export const MailDomain = z
  .string()
  .min(1)
  .max(253)
  .openapi(described('The mail domain, such as `acme.example`'))
export const ClientId = z.string().min(1).max(255).openapi(described('The app, by its `client_id`'))
