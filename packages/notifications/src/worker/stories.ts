import { type Db, notificationSubjects, type PlatformEventRow } from '@svc/db'
import { catalogue, type EventData, type EventType, isEventType } from '@svc/event'
import { type NotificationKind, usd } from '@svc/facts'
import { askPhrase, sessionTitle } from '@svc/services'
import type { Person } from './people.ts'

/** An event as people are told it, and the people whom it concerns. */
export interface Story {
  readonly kind: NotificationKind
  /** The ask or the call with whose end it is read. */
  readonly subject: string | null
  readonly title: string
  readonly text: string
  readonly path: string
  /** The managers are told where it concerns no person else. */
  readonly orManagers?: boolean
  /** True where it is over before it is told. */
  readonly over?: boolean
  /** Their own matter, of the people who may look at it. */
  isMine(person: Person): boolean
  /** False for people who may not look at it, or did it by themselves. */
  isFor(person: Person): boolean
}

type EventPlace = Pick<PlatformEventRow, 'account_id' | 'project_id' | 'session_id'>
type Narrator<T extends EventType> = (tx: Db, data: EventData<T>, event: EventPlace) => Promise<Story | null>

const managing = (person: Person): boolean => person.manages

/** The types of events that people are told of. Of the others there is nothing to say that the list of events does not. */
const narrators: { readonly [T in EventType]?: Narrator<T> } = {
  'session.waiting': async (tx, { session_id, request_id, ask: kind }, event) => {
    const session = await notificationSubjects.session(tx, session_id)
    const ask = await notificationSubjects.ask(tx, session_id, request_id)
    if (session === undefined || ask === undefined) return null
    return {
      kind: 'needs_me',
      subject: `${session_id}/${request_id}`,
      title: sessionTitle(session),
      text: askPhrase(kind, ask.body, ask.command),
      path: sessionPath(event, session_id),
      over: ask.state !== 'asked',
      orManagers: true,
      isMine: ({ user_id }) => user_id === session.created_by,
      isFor: (person) =>
        person.holds('project.session.start') &&
        (person.user_id === session.created_by ||
          (!session.holds_personal_secrets && (session.visibility === 'project' || person.manages))),
    }
  },
  'approval.requested': async (tx, { call_id, slug, action, session_id }, { project_id }) => {
    const session = session_id === null ? undefined : await notificationSubjects.session(tx, session_id)
    const status = await notificationSubjects.approvalStatus(tx, call_id)
    return {
      kind: 'needs_me',
      subject: call_id,
      title: `${slug}.${action}`,
      text: 'Waits for your decision',
      path: `/projects/${project_id ?? ''}/approvals/${call_id}`,
      over: status !== 'pending',
      // Its owner may be a person who may not decide.
      orManagers: true,
      isMine: (person) => person.user_id === session?.created_by,
      isFor: (person) => person.holds('project.review.act'),
    }
  },
  'session.failed': async (tx, { session_id }, event) => {
    const session = await notificationSubjects.session(tx, session_id)
    if (session === undefined) return null
    return {
      kind: 'session_failed',
      subject: null,
      title: sessionTitle(session),
      text: session.failure?.message ?? 'It failed',
      orManagers: true,
      path: sessionPath(event, session_id),
      isMine: ({ user_id }) => user_id === session.created_by,
      isFor: (person) =>
        person.user_id === session.created_by ||
        (!session.holds_personal_secrets && person.holds('project.session.read')),
    }
  },
  'cr.opened': (tx, data, event) =>
    ofChangeRequest(tx, data, event, {
      kind: 'cr_opened',
      text: `Was opened for ${data.base_ref}`,
      by: ({ created_by }) => (data.origin_session_id === null ? created_by : null),
    }),
  'cr.merged': (tx, data, event) =>
    ofChangeRequest(tx, data, event, {
      kind: 'cr_merged',
      text: `Was merged into ${data.base_ref}`,
      by: ({ merged_by }) => merged_by,
    }),
  'cr.merge_failed': (tx, data, event) =>
    ofChangeRequest(tx, data, event, {
      kind: 'cr_failed',
      text: `Its merge into ${data.base_ref} was refused: ${data.code}`,
      // The answer to the person who asked for the merge says so already.
      by: ({ refused_for }) => refused_for,
    }),
  'trigger.failed': async (tx, { slug, reason }, { project_id }) => {
    const writer =
      slug === null || project_id === null
        ? undefined
        : await notificationSubjects.triggerWriter(tx, project_id, slug)
    return {
      kind: 'trigger_failed',
      subject: null,
      title: slug ?? 'A trigger',
      text: reason === null ? 'Did not fire' : `Did not fire: ${reason}`,
      path: `/projects/${project_id ?? ''}/triggers/${slug ?? ''}`,
      isMine: (person) => person.manages || person.user_id === writer,
      isFor: (person) => person.holds('project.trigger.read'),
    }
  },
  'budget.alert': ofBudget,
  'budget.exceeded': ofBudget,
}

/** The story of an event; null where there is none to tell. */
export async function storyOf(
  tx: Db,
  event: EventPlace & Pick<PlatformEventRow, 'type' | 'data'>,
): Promise<Story | null> {
  if (!isEventType(event.type)) return null
  // Each narrator is of the type under which it stands, and its data is checked.
  const narrate = narrators[event.type] as Narrator<EventType> | undefined
  if (narrate === undefined) return null
  const data = catalogue[event.type].data.safeParse(event.data)
  return data.success ? narrate(tx, data.data, event) : null
}

const sessionPath = ({ project_id }: EventPlace, session_id: string): string =>
  `/projects/${project_id ?? ''}/sessions/${session_id}`

interface ChangeRequestStory {
  readonly kind: NotificationKind
  readonly text: string
  /** The person who did it, and need not be told. */
  by(row: notificationSubjects.SubjectChangeRequest): string | null
}

async function ofChangeRequest(
  tx: Db,
  { cr_id, number, title, origin_session_id }: EventData<'cr.opened'>,
  { project_id }: EventPlace,
  { kind, text, by }: ChangeRequestStory,
): Promise<Story | null> {
  const row = await notificationSubjects.changeRequest(tx, cr_id)
  if (row === undefined) return null
  const session =
    origin_session_id === null ? undefined : await notificationSubjects.session(tx, origin_session_id)
  const did = by(row)
  return {
    kind,
    subject: null,
    title: `#${number} ${title}`,
    text,
    path: `/projects/${project_id ?? ''}/change-requests/${number}`,
    isMine: ({ user_id }) => user_id === row.created_by || user_id === session?.created_by,
    isFor: (person) => person.user_id !== did && person.holds('project.read'),
  }
}

async function ofBudget(
  tx: Db,
  { budget, threshold, cap_micros, spent_micros, session_id }: EventData<'budget.alert'>,
  { account_id, project_id }: EventPlace,
): Promise<Story> {
  const spent = `${usd(spent_micros)} of ${usd(cap_micros)}`
  // One of the account has no page of its own: it shows where its call was made.
  const session = session_id === null ? undefined : await notificationSubjects.session(tx, session_id)
  const shown_at = project_id ?? session?.project_id
  return {
    kind: 'budget_alert',
    subject: null,
    title: budget.name,
    text: threshold >= 100 ? `Is spent: ${spent}` : `${threshold} % are spent: ${spent}`,
    path:
      shown_at === undefined ? `/accounts/${account_id}/audit` : `/projects/${shown_at}/models?tab=budgets`,
    isMine: managing,
    isFor: (person) => project_id === null || person.holds('project.read'),
  }
}
