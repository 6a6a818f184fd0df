import type { channels as routes } from '@svc/contract'
import type {
  Channel,
  ChannelDelivery,
  ChannelLink,
  ChannelMessage,
  ChannelTest,
  ChannelThread,
  ConnectChannelInput,
  DecideChannelDeliveryInput,
  ListChannelDeliveriesQuery,
  ListChannelMessagesQuery,
  ListChannelThreadsQuery,
  ListLinksOfChannelQuery,
  SendChannelMessageInput,
  SentFile,
  UpdateChannelInput,
} from '../../channel-types.ts'
import type { Http } from '../../http/transport.ts'
import type { RequestOptions } from '../../options.ts'

/** Chats and mailboxes from which people use the agents of a project. Pages are newest first; `next_cursor` is their `cursor`. */
export interface Channels {
  list(project_id: string, options?: RequestOptions): Promise<Channel[]>
  /**
   * The credentials are tried first: 422 `channel_not_usable` with `reason`. 400 `channel_not_declared` for a slug of its own
   * that the manifest does not declare, 409 for one that is taken.
   */
  connect(project_id: string, input: ConnectChannelInput, options?: RequestOptions): Promise<Channel>
  get(project_id: string, slug: string, options?: RequestOptions): Promise<Channel>
  /** Fields that are left out stay; `conversations` are replaced whole. */
  update(
    project_id: string,
    slug: string,
    input: UpdateChannelInput,
    options?: RequestOptions,
  ): Promise<Channel>
  /** Destroys its credentials; threads stay. */
  disconnect(project_id: string, slug: string, options?: RequestOptions): Promise<void>
  /** Whether it works, check by check. */
  test(project_id: string, slug: string, options?: RequestOptions): Promise<ChannelTest>
  threads(
    project_id: string,
    slug: string,
    query?: ListChannelThreadsQuery,
    options?: RequestOptions,
  ): Promise<{ threads: ChannelThread[]; next_cursor: string | null }>
  deliveries(
    project_id: string,
    slug: string,
    query?: ListChannelDeliveriesQuery,
    options?: RequestOptions,
  ): Promise<{ deliveries: ChannelDelivery[]; next_cursor: string | null }>
  messages(
    project_id: string,
    slug: string,
    query?: ListChannelMessagesQuery,
    options?: RequestOptions,
  ): Promise<{ messages: ChannelMessage[]; next_cursor: string | null }>
  /** The people who are linked to senders of it. */
  links(
    project_id: string,
    slug: string,
    query?: ListLinksOfChannelQuery,
    options?: RequestOptions,
  ): Promise<{ links: ChannelLink[]; next_cursor: string | null }>
  /** Ends the link of another person, for the whole account. */
  removeLink(project_id: string, slug: string, link_id: string, options?: RequestOptions): Promise<void>
  /** Works on a delivery once more. 409 `delivery_not_failed` for one that did not fail. */
  replay(
    project_id: string,
    slug: string,
    delivery_id: string,
    options?: RequestOptions,
  ): Promise<ChannelDelivery>
  /** Of one with the verdict `asked`, by the person who began its thread; 409 `ASK_NOT_PENDING` once it was decided. */
  decide(
    project_id: string,
    slug: string,
    delivery_id: string,
    input: DecideChannelDeliveryInput,
    options?: RequestOptions,
  ): Promise<ChannelDelivery>
  /**
   * Into `thread_id` or `conversation`; resolves before it is sent. 403 `conversation_not_in_project` for a conversation that
   * the channel does not list and in which no thread of the project is. Each of `files` becomes a message behind the text.
   */
  send(
    project_id: string,
    slug: string,
    input: SendChannelMessageInput,
    options?: RequestOptions,
  ): Promise<ChannelMessage>
}

const base = '/v1/projects/{project_id}/channels'
const one = `${base}/{slug}`

export function channels(http: Http): Channels {
  return {
    list: async (project_id, options = {}) => {
      const call = { ...options, params: { project_id } }
      return (await http.call<typeof routes.listChannels>(`GET ${base}`, call)).channels
    },
    connect: (project_id, body, options = {}) =>
      http.call<typeof routes.connectChannel>(`POST ${base}`, { ...options, params: { project_id }, body }),
    get: (project_id, slug, options = {}) =>
      http.call<typeof routes.getChannel>(`GET ${one}`, at(options, project_id, slug)),
    update: (project_id, slug, body, options = {}) =>
      http.call<typeof routes.updateChannel>(`PATCH ${one}`, {
        ...at(options, project_id, slug),
        body,
      }),
    disconnect: (project_id, slug, options = {}) =>
      http.call<typeof routes.disconnectChannel>(`DELETE ${one}`, at(options, project_id, slug)),
    test: (project_id, slug, options = {}) =>
      http.call<typeof routes.testChannel>(`POST ${one}/test`, at(options, project_id, slug)),
    threads: (project_id, slug, query = {}, options = {}) =>
      http.call<typeof routes.listChannelThreads>(`GET ${one}/threads`, {
        ...at(options, project_id, slug),
        query,
      }),
    deliveries: (project_id, slug, query = {}, options = {}) =>
      http.call<typeof routes.listChannelDeliveries>(`GET ${one}/deliveries`, {
        ...at(options, project_id, slug),
        query,
      }),
    messages: (project_id, slug, query = {}, options = {}) =>
      http.call<typeof routes.listChannelMessages>(`GET ${one}/messages`, {
        ...at(options, project_id, slug),
        query,
      }),
    links: (project_id, slug, query = {}, options = {}) =>
      http.call<typeof routes.listLinksOfChannel>(`GET ${one}/links`, {
        ...at(options, project_id, slug),
        query,
      }),
    removeLink: (project_id, slug, link_id, options = {}) =>
      http.call<typeof routes.removeLinkOfChannel>(`DELETE ${one}/links/{link_id}`, {
        ...options,
        params: { project_id, slug, link_id },
      }),
    replay: (project_id, slug, delivery_id, options = {}) =>
      http.call<typeof routes.replayChannelDelivery>(`POST ${one}/deliveries/{delivery_id}/replay`, {
        ...options,
        params: { project_id, slug, delivery_id },
      }),
    decide: (project_id, slug, delivery_id, body, options = {}) =>
      http.call<typeof routes.decideChannelDelivery>(`POST ${one}/deliveries/{delivery_id}/decision`, {
        ...options,
        params: { project_id, slug, delivery_id },
        body,
      }),
    send: (project_id, slug, { files = [], ...message }, options = {}) =>
      http.call<typeof routes.sendChannelMessage>(`POST ${one}/messages`, {
        ...at(options, project_id, slug),
        ...(files.length === 0 ? { body: message } : { form: formOf(message, files) }),
      }),
  }
}

/** The options of a call of one channel, with what its path names. */
const at = (options: RequestOptions, project_id: string, slug: string) => ({
  ...options,
  params: { project_id, slug },
})

function formOf(message: object, files: readonly SentFile[]): FormData {
  const form = new FormData()
  form.append('message', JSON.stringify(message))
  for (const { name, type = 'application/octet-stream', content } of files)
    form.append('file', content instanceof Blob ? content : new Blob([content], { type }), name)
  return form
}
