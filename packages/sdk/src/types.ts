import type {
  accountGateway,
  accountMoney,
  accounts,
  accountSso,
  audit,
  browserSessions,
  changeRequests,
  directory,
  domains,
  events,
  features,
  files,
  gatewayConfig,
  gatewayKeys,
  gatewayMoney,
  health,
  inbox,
  keyRules,
  ManifestIssue as ManifestIssueSchema,
  members,
  oauth,
  previewTickets,
  projects,
  reviews,
  roles,
  secrets,
  serviceAccounts,
  sessionLog,
  sessionPrompts,
  sessions,
  sessionSummaries,
  signIn,
  signInRules,
  sso,
  triggers,
  twoFactor,
  viewedFiles,
  webhooks,
} from '@svc/contract'
import type { SessionEventType as EventType } from '@svc/contract'
import type { PlatformEvent as Catalogued } from '@svc/event'
import type { ErrorCode as Code } from '@svc/errors'
import type { z } from 'zod'
import type { AnswerOf, BodyOf, QueryOf } from './http/route.ts'

/** Every code that this version of the service has. A newer one may answer with others. */
export type ErrorCode = Extract<Code, string>

export type SessionEventType = Extract<EventType, string>

export type Health = AnswerOf<typeof health.getHealth>

export type Me = z.output<typeof accounts.Me>
export type Account = z.output<typeof accounts.Account>
export type UpdateMeInput = BodyOf<typeof accounts.updateMe>
export type UpdateAccountInput = BodyOf<typeof accounts.updateAccount>
/** The person who approved an app. `sub` is the `user_id`. */
export type Userinfo = z.output<typeof oauth.Userinfo>

/** `expires_at` is in seconds since 1970, `expires_in` in seconds. Each `refresh_token` works once. */
export type SignInSession = z.output<typeof signIn.SignInSession>
export type SignInUser = z.output<typeof signIn.SignInUser>
export type SignedIn = AnswerOf<typeof signIn.signInWithPassword>
export type MailSent = AnswerOf<typeof signIn.signUp>
export type SignUpInput = BodyOf<typeof signIn.signUp>
export type PasswordInput = BodyOf<typeof signIn.signInWithPassword>
export type VerifyOtpInput = BodyOf<typeof signIn.verifyOtp>
export type ResetPasswordInput = BodyOf<typeof signIn.resetPassword>
export type ChangePasswordInput = BodyOf<typeof signIn.changePassword>
export type ListSsoProvidersQuery = QueryOf<typeof sso.listSsoProviders>
/** The providers that sign people in, and whether they alone do for the mail domain that was asked about. */
export type SsoProviders = AnswerOf<typeof sso.listSsoProviders>
/** A mail domain that an account claims, with the DNS record that proves it. */
export type Domain = z.output<typeof domains.Domain>
/** The OpenID provider of an account, never with its secret. */
export type AccountSso = z.output<typeof accountSso.AccountSso>
export type SetAccountSsoInput = BodyOf<typeof accountSso.setAccountSso>
/** An app that acts for the person. */
export type OAuthApp = z.output<typeof oauth.OAuthApp>
export type TotpSecret = AnswerOf<typeof twoFactor.enrolTotp>
export type SignInRules = z.output<typeof signInRules.SignInRules>

export type Token = z.output<typeof accounts.Token>
/** `token` is shown this once. */
export type MintedToken = z.output<typeof accounts.MintedToken>
export type CreateTokenInput = BodyOf<typeof accounts.createToken>
export type GatewayKey = z.output<typeof gatewayKeys.GatewayKey>
/** `token` is shown this once. */
export type MintedGatewayKey = z.output<typeof gatewayKeys.MintedGatewayKey>
export type CreateGatewayKeyInput = BodyOf<typeof gatewayKeys.createGatewayKey>
export type UpdateGatewayKeyInput = BodyOf<typeof gatewayKeys.updateGatewayKey>
export type RotateGatewayKeyInput = NonNullable<BodyOf<typeof gatewayKeys.rotateGatewayKey>>
export type CreateProjectTokenInput = NonNullable<BodyOf<typeof accounts.createProjectToken>>

export type Branding = z.output<typeof accounts.Branding>
export type KeyRules = z.output<typeof keyRules.KeyRules>
export type Member = z.output<typeof members.Member>
export type UpdateMemberInput = BodyOf<typeof members.updateMember>
export type Invitation = z.output<typeof members.Invitation>
/** `token` is shown this once. */
export type CreatedInvitation = AnswerOf<typeof members.createInvitation>
export type CreateInvitationInput = BodyOf<typeof members.createInvitation>
export type JoinedAccount = AnswerOf<typeof members.acceptInvitation>
export type ProjectMember = z.output<typeof members.ProjectMember>
export type SetProjectMemberInput = BodyOf<typeof members.setProjectMember>
export type Role = z.output<typeof roles.Role>
export type CustomRoleInput = BodyOf<typeof roles.createRole>
export type Assignment = AnswerOf<typeof roles.listAssignments>['assignments'][number]
export type ServiceAccount = z.output<typeof serviceAccounts.ServiceAccount>
export type Feature = z.output<typeof features.FeatureList>['features'][number]
export type SetFeaturesInput = BodyOf<typeof features.setFeatures>
export type ScimTokenList = AnswerOf<typeof directory.listScimTokens>
/** `token` is shown this once; `scim_url` is the address to tell the directory. */
export type MintedScimToken = AnswerOf<typeof directory.createScimToken>
export type DirectoryGroup = z.output<typeof directory.Group>
export type GroupRolesInput = BodyOf<typeof directory.setGroupRoles>
export type AuditEvent = z.output<typeof audit.AuditEvent>
export type AuditFilter = QueryOf<typeof audit.exportAudit>
export type ListAuditQuery = QueryOf<typeof audit.listAudit>
export type AuditVerdict = AnswerOf<typeof audit.verifyAudit>

/** Money is a whole number of micro-dollars: 1,000,000 are a US dollar. */
export type Budget = AnswerOf<typeof gatewayMoney.createGatewayBudget>
export type CreateBudgetInput = BodyOf<typeof gatewayMoney.createGatewayBudget>
export type UpdateBudgetInput = BodyOf<typeof gatewayMoney.updateGatewayBudget>
export type ModelCall = AnswerOf<typeof gatewayMoney.listGatewayCalls>['calls'][number]
export type ModelCallWithPrice = AnswerOf<typeof gatewayMoney.getGatewayCall>
export type ListModelCallsQuery = QueryOf<typeof gatewayMoney.listGatewayCalls>
export type Spend = AnswerOf<typeof gatewayMoney.getGatewaySpend>
export type SpendQuery = QueryOf<typeof gatewayMoney.getGatewaySpend>
export type AccountSpendQuery = QueryOf<typeof accountMoney.getAccountGatewaySpend>
export type Billing = z.output<typeof accountMoney.Billing>
export type CreditLedgerEntry = AnswerOf<typeof accountMoney.listCreditLedger>['entries'][number]
export type ListLedgerQuery = QueryOf<typeof accountMoney.listCreditLedger>

export type Project = z.output<typeof projects.Project>
export type ProjectWithCapabilities = AnswerOf<typeof projects.getProject>
/** `push_token` is shown once; a replay of the same `idempotency_key` has null. */
export type ProvisionedProject = AnswerOf<typeof projects.provisionProject>
export type ProvisionProjectInput = BodyOf<typeof projects.provisionProject>
export type ConnectProjectInput = BodyOf<typeof projects.connectProject>
export type UpdateProjectInput = BodyOf<typeof projects.updateProject>

export type Session = z.output<typeof sessions.Session>
/** Calls of models by the gateway. `cost_micros` is in millionths of a dollar. */
export type ModelUsage = Session['usage']
export type QueuedSession = z.output<typeof sessions.QueuedSession>
export type RefreshedSession = z.output<typeof sessions.RefreshedSession>
/** `url` works once, until `expires_at`. */
export type PreviewTicket = z.output<typeof previewTickets.PreviewTicket>
export type CreateSessionInput = NonNullable<BodyOf<typeof sessions.createSession>>
export type UpdateSessionInput = BodyOf<typeof sessions.updateSession>
export type ListSessionsQuery = QueryOf<typeof sessions.listSessions>
export type Prompt = z.output<typeof sessionPrompts.Prompt>
export type PromptSessionInput = BodyOf<typeof sessionPrompts.promptSession>
export type InboxPrompt = z.output<typeof sessionPrompts.InboxPrompt>
export type ListPromptsQuery = QueryOf<typeof sessionPrompts.listPrompts>
/** `{ reply, message? }` or `{ option_id }` for a permission, `{ answers }` (labels for each question) or `{ reject: true }` for a question. */
export type AskAnswer = BodyOf<typeof sessionPrompts.answerAsk>
/**
 * A request that the agent waits for; `questions` are as its runtime words them:
 * `{ question, header, options: [{ label }] }`.
 */
export type PendingAsk =
  | {
      readonly kind: 'permission'
      readonly request_id: string
      readonly permission: string
      readonly patterns: readonly string[]
    }
  | { readonly kind: 'question'; readonly request_id: string; readonly questions: readonly unknown[] }
export type TranscriptMessage = z.output<typeof sessionLog.TranscriptMessage>
export type Transcript = AnswerOf<typeof sessionLog.getSessionTranscript>

/** One entry of a session's event log; the other keys depend on `type`. Deltas are streamed, not stored. */
export interface SessionEvent {
  readonly seq: number
  readonly type: SessionEventType
  readonly at: string
  readonly [key: string]: unknown
}
/** `hello` first, and again after a cut: read anew what you show. Then ids of what changed. */
export type ChangeEvent =
  | { readonly type: 'hello' }
  | {
      readonly type: 'changed'
      readonly kind: string
      /** Null for what is the person’s own. */
      readonly project_id: string | null
      readonly id: string
    }
export interface SessionEvents {
  readonly events: readonly SessionEvent[]
  /** The first event that is kept. */
  readonly first_seq: number
  readonly last_seq: number
}

export type ChangeRequest = z.output<typeof changeRequests.ChangeRequest>
/** With the calls of models of the session whose branch it is. */
export type ChangeRequestWithCost = ChangeRequest & { readonly cost: ModelUsage }
export type ChangeRequestDiff = z.output<typeof changeRequests.ChangeRequestDiff>
export type DiffFile = z.output<typeof changeRequests.DiffFile>
export type MergePreview = z.output<typeof changeRequests.MergePreview>
export type MergeResult = AnswerOf<typeof changeRequests.mergeChangeRequest>
export type CreateChangeRequestInput = BodyOf<typeof changeRequests.createChangeRequest>
export type UpdateChangeRequestInput = BodyOf<typeof changeRequests.updateChangeRequest>
export type MergeChangeRequestInput = NonNullable<BodyOf<typeof changeRequests.mergeChangeRequest>>
export type ListChangeRequestsQuery = QueryOf<typeof changeRequests.listChangeRequests>
/** Something that is shown to people, with the verdict once there is one. */
export type ReviewItem = z.output<typeof reviews.ReviewItem>
export type SubmitReviewInput = BodyOf<typeof reviews.submitReviewItem>
export type ActOnReviewInput = BodyOf<typeof reviews.actOnReviewItem>
export type ResubmitReviewInput = NonNullable<BodyOf<typeof reviews.resubmitReviewItem>>
export type ListReviewsQuery = QueryOf<typeof reviews.listReviewItems>
export type RequestChangesResult = AnswerOf<typeof changeRequests.requestChanges>
export type ManifestIssue = z.output<typeof ManifestIssueSchema>
/** The manifest at a branch as its author wrote it, with the verdict on it. */
export type ManifestAt = z.output<typeof files.ManifestAt>
/** A diff of two branches. */
export type Comparison = z.output<typeof files.Comparison>
/** The work of a session, from its branch or from what was saved of it last. */
export type SessionDiff = AnswerOf<typeof sessionSummaries.getSessionDiff>
export type ViewedFile = z.output<typeof viewedFiles.ViewedFile>
export type SessionSummary = z.output<typeof sessionSummaries.SessionSummary>
export type SessionSummaries = AnswerOf<typeof sessionSummaries.listSessionSummaries>
export type ListSessionSummariesQuery = QueryOf<typeof sessionSummaries.listSessionSummaries>
export type SetViewedFileInput = BodyOf<typeof viewedFiles.setViewedFile>

/** A thing that waits for a person. */
/** Discriminated by `type`; `data` has a shape for each. */
export type PlatformEvent = Catalogued
export type PlatformEventType = Catalogued['type']
export type EventSubscription = z.output<typeof events.Subscription>
export type CreatedEventSubscription = z.output<typeof events.CreatedSubscription>
export type CreateEventSubscriptionInput = BodyOf<typeof events.createEventSubscription>
export type UpdateEventSubscriptionInput = BodyOf<typeof events.updateEventSubscription>
export type RotatedEventSecret = z.output<typeof events.RotatedSecret>
export type ReplayEventsInput = BodyOf<typeof events.replayEvents>
export type EventDelivery = z.output<typeof events.Delivery>
export type EventDeliveryWithTries = z.output<typeof events.DeliveryWithTries>
export type ListEventDeliveriesQuery = QueryOf<typeof events.listEventDeliveries>

export type InboxItem = z.output<typeof inbox.InboxItem>
export type Inbox = z.output<typeof inbox.Inbox>
export type InboxQuery = QueryOf<typeof inbox.getInbox>
export type MarkInboxItemInput = BodyOf<typeof inbox.markInboxItem>
export type ActOnInboxInput = BodyOf<typeof inbox.actOnInbox>
export type InboxCount = z.output<typeof inbox.InboxCount>
export type InboxActResult = z.output<typeof inbox.InboxActResult>
/** A browser that is signed in, with what it was signed in with. */
export type BrowserSession = z.output<typeof browserSessions.BrowserSession>
/** `page_key` is shown this once; it is sent as `X-Svc-Page` beside the cookie that came with it. */
export type OpenedBrowserSession = AnswerOf<typeof browserSessions.openBrowserSession>

export type Secret = z.output<typeof secrets.Secret>
export type CreateSecretInput = BodyOf<typeof secrets.createSecret>
export type SecretList = AnswerOf<typeof secrets.listSecrets>
export type PersonalSecret = z.output<typeof secrets.PersonalSecret>
export type PersonalSecretList = AnswerOf<typeof secrets.listPersonalSecrets>
export type SecretAccess = z.output<typeof secrets.SecretAccess>
export type ListSecretAccessesQuery = QueryOf<typeof secrets.listSecretAccesses>

/** Whether a project has the model gateway, and which models it lets calls have. */
export type ProjectGateway = AnswerOf<typeof gatewayConfig.getGateway>
export type GatewaySettings = AnswerOf<typeof accountGateway.getAccountGatewaySettings>
export type UpdateGatewayInput = BodyOf<typeof gatewayConfig.updateGateway>
export type GatewayModel = AnswerOf<typeof gatewayConfig.listGatewayModels>['models'][number]
/** Keys are shown by their `hint` alone. */
export type GatewayProvider = AnswerOf<typeof gatewayConfig.createGatewayProvider>
export type GatewayProviderKey = AnswerOf<typeof gatewayConfig.addGatewayProviderKey>
export type GatewayProviderTest = AnswerOf<typeof gatewayConfig.testGatewayProvider>
export type CreateGatewayProviderInput = BodyOf<typeof gatewayConfig.createGatewayProvider>
export type UpdateGatewayProviderInput = BodyOf<typeof gatewayConfig.updateGatewayProvider>
export type AddGatewayProviderKeyInput = BodyOf<typeof gatewayConfig.addGatewayProviderKey>
export type GatewayPrice = AnswerOf<typeof gatewayConfig.setGatewayPrice>
export type SetGatewayPriceInput = BodyOf<typeof gatewayConfig.setGatewayPrice>

export type FileEntry = z.output<typeof files.FileEntry>
export type FileList = AnswerOf<typeof files.listFiles>
export type FileContent = AnswerOf<typeof files.readFile>
export type Commit = z.output<typeof files.Commit>
export type CommitChanges = z.output<typeof files.CommitChanges>
export type Branch = z.output<typeof files.Branch>

export type Trigger = z.output<typeof triggers.Trigger>
/** An edit of a trigger that a session asked for: it waits in a change request for a person. */
export type TriggerProposal = z.output<typeof triggers.TriggerProposal>
export type TriggerList = z.output<typeof triggers.TriggerList>
export type TriggerFire = z.output<typeof triggers.TriggerFire>
export type TriggerDelivery = z.output<typeof triggers.TriggerDelivery>
export type TriggerFireAnswer = z.output<typeof triggers.FireAnswer>
export type CreateTriggerInput = BodyOf<typeof triggers.createTrigger>
export type UpdateTriggerInput = BodyOf<typeof triggers.updateTrigger>
export type WebhookAnswer = AnswerOf<typeof webhooks.receiveWebhook>
