import type { channelLinks as routes } from '@svc/contract'
import type { ChannelLink, ChannelLinkPreview } from '../../channel-types.ts'
import type { Http } from '../../http/transport.ts'
import type { RequestOptions } from '../../options.ts'

/** The senders of chats and mail who act as you. A token is in the link that the bot sends, and holds for ten minutes, once. */
export interface ChannelLinks {
  /** The sender who would act as you. 404 `link_not_found` for a token that is used, old or of another account. */
  preview(token: string, options?: RequestOptions): Promise<ChannelLinkPreview>
  /** 404 `link_not_found` as for `preview`; 409 `already_linked` when the sender is linked to another person. */
  link(token: string, options?: RequestOptions): Promise<ChannelLink>
  list(options?: RequestOptions): Promise<ChannelLink[]>
  unlink(link_id: string, options?: RequestOptions): Promise<void>
}

const base = '/v1/channel-links'

export function channelLinks(http: Http): ChannelLinks {
  return {
    preview: (token, options = {}) =>
      http.call<typeof routes.previewChannelLink>(`POST ${base}/preview`, { ...options, body: { token } }),
    link: (token, options = {}) =>
      http.call<typeof routes.linkChannelSender>(`POST ${base}`, { ...options, body: { token } }),
    list: async (options = {}) =>
      (await http.call<typeof routes.listChannelLinks>(`GET ${base}`, options)).links,
    unlink: (link_id, options = {}) =>
      http.call<typeof routes.unlinkChannelSender>(`DELETE ${base}/{link_id}`, {
        ...options,
        params: { link_id },
      }),
  }
}
