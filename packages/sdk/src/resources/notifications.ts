import type { notifications as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type {
  Notifications,
  NotificationSettings,
  NotificationsQuery,
  ProjectWatch,
  PushSubscription,
  ReadNotificationsInput,
  SubscribeToPushInput,
  UpdateNotificationSettingsInput,
  WatchLevel,
} from '../notification-types.ts'

/** Notifications of a person, over all projects, and the ways on which they come. */
export interface NotificationsResource {
  /** Newest first; `unread_count` is of everything. The next page begins with `cursor: next_cursor`. */
  list(query?: NotificationsQuery, options?: RequestOptions): Promise<Notifications>
  /** Marks some, those of a session, or all as read; how many were unread. */
  read(input: ReadNotificationsInput, options?: RequestOptions): Promise<number>
  settings(options?: RequestOptions): Promise<NotificationSettings>
  /** Changes what is given, and nothing else. */
  updateSettings(
    input: UpdateNotificationSettingsInput,
    options?: RequestOptions,
  ): Promise<NotificationSettings>
  watched(project_id: string, options?: RequestOptions): Promise<ProjectWatch>
  /** Sets the part of a project that you are told of: `mine` until then. */
  watch(project_id: string, level: WatchLevel, options?: RequestOptions): Promise<ProjectWatch>
  /** Says that a visible page shows you the session; holds for 45 seconds. */
  present(project_id: string, session_id: string, options?: RequestOptions): Promise<void>
  /** The `applicationServerKey` of the Push API, in base64url. */
  pushKey(options?: RequestOptions): Promise<string>
  /** Takes what `PushSubscription.toJSON()` gives. 409 with ten browsers. */
  subscribe(input: SubscribeToPushInput, options?: RequestOptions): Promise<PushSubscription>
  /** A browser that is not known is no error. */
  unsubscribe(endpoint: string, options?: RequestOptions): Promise<void>
}

const base = '/v1/notifications'

export function notifications(http: Http): NotificationsResource {
  return {
    list: (query = {}, options = {}) =>
      http.call<typeof routes.listNotifications>(`GET ${base}`, { ...options, query }),
    read: async (body, options = {}) =>
      (await http.call<typeof routes.readNotifications>(`POST ${base}/read`, { ...options, body })).read,
    settings: (options = {}) =>
      http.call<typeof routes.getNotificationSettings>(`GET ${base}/settings`, options),
    updateSettings: (body, options = {}) =>
      http.call<typeof routes.updateNotificationSettings>(`PATCH ${base}/settings`, { ...options, body }),
    watched: (project_id, options = {}) =>
      http.call<typeof routes.getProjectWatch>('GET /v1/projects/{project_id}/watch', {
        ...options,
        params: { project_id },
      }),
    watch: (project_id, level, options = {}) =>
      http.call<typeof routes.watchProject>('PUT /v1/projects/{project_id}/watch', {
        ...options,
        params: { project_id },
        body: { level },
      }),
    present: (project_id, session_id, options = {}) =>
      http.call<typeof routes.announcePresence>(
        'PUT /v1/projects/{project_id}/sessions/{session_id}/presence',
        { ...options, params: { project_id, session_id } },
      ),
    pushKey: async (options = {}) =>
      (await http.call<typeof routes.getPushKey>(`GET ${base}/push-key`, options)).public_key,
    subscribe: (body, options = {}) =>
      http.call<typeof routes.subscribeToPush>(`POST ${base}/push-subscriptions`, { ...options, body }),
    unsubscribe: (endpoint, options = {}) =>
      http.call<typeof routes.unsubscribeFromPush>(`DELETE ${base}/push-subscriptions`, {
        ...options,
        body: { endpoint },
      }),
  }
}
