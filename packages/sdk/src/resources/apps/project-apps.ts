import type { appPreviews, appReleases, apps as routes } from '@svc/contract'
import type {
  AppEntry,
  AppEnvironment,
  AppEvent,
  AppLogLine,
  AppMetrics,
  AppRequests,
  AppRelease,
  AppRollout,
  AppUsage,
  ChangeRequestApps,
  CheckAppsInput,
  CheckedApps,
  EnterAppInput,
  ListAppReleasesQuery,
  ProjectApp,
  ProjectAppList,
  ReadAppMetricsQuery,
  ReleaseAppInput,
  RollbackAppInput,
  UpdateProjectAppInput,
} from '../../app-types.ts'
import { requestPath } from '../../http/api-url.ts'
import { sleep } from '../../http/sleep.ts'
import type { Http } from '../../http/transport.ts'
import { type Listing, listing } from '../../listing.ts'
import type { RequestOptions } from '../../options.ts'
import { isEvent, isLine, queryOf, untilEnd } from './app-streams.ts'
import { resumedStream, type StreamOptions } from '../../stream/resumed-stream.ts'

/** A release on its way: `await` it for its row, or `wait` for its end. */
export interface PendingRelease extends PromiseLike<AppRelease> {
  /** Resolves once it is `ready`, `failed` or `cancelled`; it does not throw for the latter two. */
  wait(options?: RequestOptions): Promise<AppRelease>
}

/** The apps that a project's manifest declares. 403 `feature_disabled` while an operator has them switched off. */
export interface ProjectApps {
  list(project_id: string, options?: RequestOptions): Promise<ProjectAppList>
  /** 404 for a name that the default branch never declared. */
  get(project_id: string, app: string, options?: RequestOptions): Promise<ProjectApp>
  /** The people who may look; a change of mode, password or viewers closes every way in that was given before. */
  update(
    project_id: string,
    app: string,
    input: UpdateProjectAppInput,
    options?: RequestOptions,
  ): Promise<ProjectApp>
  /** Its address answers 503 `app_stopped`. */
  stop(project_id: string, app: string, options?: RequestOptions): Promise<ProjectApp>
  start(project_id: string, app: string, options?: RequestOptions): Promise<ProjectApp>
  /** Newest first. */
  releases(
    project_id: string,
    app: string,
    query?: ListAppReleasesQuery,
    options?: RequestOptions,
  ): Listing<AppRelease>
  getRelease(
    project_id: string,
    app: string,
    number: number | string,
    options?: RequestOptions,
  ): Promise<AppRelease>
  /**
   * Of the tip of the default branch, of a commit of it, or of an open change request as its preview. 400
   * `app_config_invalid` with `issues`, 422 `app_commit_not_merged`. Safe to repeat with the same `idempotency_key`.
   */
  release(
    project_id: string,
    app: string,
    input?: ReleaseAppInput & { readonly idempotency_key?: string },
    options?: RequestOptions,
  ): PendingRelease
  /** 409 `app_release_final` for one that ended. */
  cancel(
    project_id: string,
    app: string,
    number: number | string,
    options?: RequestOptions,
  ): Promise<AppRelease>
  /** Back to what was shown before, or to `number`. 409 `app_release_not_ready`, `app_rollout_in_progress`, `conflict`. */
  rollback(
    project_id: string,
    app: string,
    input?: RollbackAppInput,
    options?: RequestOptions,
  ): Promise<AppRollout>
  /** The moves of its addresses, newest first. */
  rollouts(project_id: string, app: string, options?: RequestOptions): Listing<AppRollout>
  /**
   * Lines as they are written, across any number of connections; each once. Those of one `release` end with it, others by
   * `break` or the signal.
   */
  logs(
    project_id: string,
    app: string,
    options?: StreamOptions & {
      readonly release?: number | string
      readonly source?: AppLogLine['source']
    },
  ): AsyncIterableIterator<AppLogLine>
  /** The lines that there are, up to `limit` (200) behind the `seq` `after`. */
  readLog(
    project_id: string,
    app: string,
    query?: {
      readonly after?: number
      readonly limit?: number
      readonly release?: number | string
      readonly source?: AppLogLine['source']
    },
    options?: RequestOptions,
  ): Promise<{ lines: AppLogLine[]; last_seq: number }>
  /** Its events, from `after` on, as it happens. */
  events(project_id: string, app: string, options?: StreamOptions): AsyncIterableIterator<AppEvent>
  env(project_id: string, app: string, options?: RequestOptions): Promise<AppEnvironment>
  /** Answers by class, how long they took, and visitors who waited, up to now. */
  metrics(
    project_id: string,
    app: string,
    query?: ReadAppMetricsQuery,
    options?: RequestOptions,
  ): Promise<AppMetrics>
  /** Answers of all apps of the project by class, in the last 24 hours unless the query says otherwise. */
  metricsOfAll(
    project_id: string,
    query?: ReadAppMetricsQuery,
    options?: RequestOptions,
  ): Promise<AppRequests[]>
  /** Costs by month, and the cap of this one, in micro-dollars. */
  usage(project_id: string, app: string, options?: RequestOptions): Promise<AppUsage>
  /** The apps of a ref, or of a manifest at hand, as this platform would make them. */
  check(project_id: string, input?: CheckAppsInput, options?: RequestOptions): Promise<CheckedApps>
  /** The apps that merging a change request would deploy, and its previews. */
  ofChangeRequest(project_id: string, cr_id: string, options?: RequestOptions): Promise<ChangeRequestApps>
  removePreview(project_id: string, cr_id: string, app: string, options?: RequestOptions): Promise<void>
  /** For those whom the app's policy names; else 403 `forbidden`. `url` opens once, within two minutes. */
  enter(input: EnterAppInput, options?: RequestOptions): Promise<AppEntry>
}

const base = '/v1/projects/{project_id}/apps'
const lookAgainMs = 500
const ofApp = (project_id: string, app: string, options: RequestOptions) => ({
  ...options,
  params: { project_id, app },
})

export function projectApps(http: Http): ProjectApps {
  const getRelease: ProjectApps['getRelease'] = async (project_id, app, number, options = {}) =>
    (
      await http.call<typeof appReleases.getAppRelease>(`GET ${base}/{app}/releases/{number}`, {
        ...options,
        params: { project_id, app, number: String(number) },
      })
    ).release
  return {
    list: (project_id, options = {}) =>
      http.call<typeof routes.listApps>(`GET ${base}`, { ...options, params: { project_id } }),
    get: async (project_id, app, options = {}) =>
      (await http.call<typeof routes.getApp>(`GET ${base}/{app}`, ofApp(project_id, app, options))).app,
    update: async (project_id, app, body, options = {}) =>
      (
        await http.call<typeof routes.updateApp>(`PATCH ${base}/{app}`, {
          ...ofApp(project_id, app, options),
          body,
        })
      ).app,
    stop: async (project_id, app, options = {}) =>
      (await http.call<typeof routes.stopApp>(`POST ${base}/{app}/stop`, ofApp(project_id, app, options)))
        .app,
    start: async (project_id, app, options = {}) =>
      (await http.call<typeof routes.startApp>(`POST ${base}/{app}/start`, ofApp(project_id, app, options)))
        .app,
    releases: (project_id, app, query = {}, options = {}) =>
      listing(async (cursor) => {
        const call = { ...ofApp(project_id, app, options), query: { ...query, cursor } }
        const page = await http.call<typeof appReleases.listAppReleases>(`GET ${base}/{app}/releases`, call)
        return { items: page.releases, next_cursor: page.next_cursor ?? null }
      }, query.cursor),
    getRelease,
    release: (project_id, app, { idempotency_key, ...body } = {}, options = {}) => {
      const made = async () =>
        (
          await http.call<typeof appReleases.releaseApp>(`POST ${base}/{app}/releases`, {
            ...ofApp(project_id, app, options),
            ...(idempotency_key !== undefined && { headers: { 'idempotency-key': idempotency_key } }),
            body,
          })
        ).release
      let asked: Promise<AppRelease> | undefined
      const ask = () => (asked ??= made())
      return {
        then: (onFulfilled, onRejected) => ask().then(onFulfilled, onRejected),
        async wait(request = options) {
          let release = await ask()
          while (release.finished_at === null) {
            await sleep(lookAgainMs, request.signal)
            release = await getRelease(project_id, app, release.number, request)
          }
          return release
        },
      }
    },
    cancel: async (project_id, app, number, options = {}) =>
      (
        await http.call<typeof appReleases.cancelAppRelease>(`POST ${base}/{app}/releases/{number}/cancel`, {
          ...options,
          params: { project_id, app, number: String(number) },
        })
      ).release,
    rollback: async (project_id, app, body = {}, options = {}) =>
      (
        await http.call<typeof appReleases.rollbackApp>(`POST ${base}/{app}/rollback`, {
          ...ofApp(project_id, app, options),
          body,
        })
      ).rollout,
    rollouts: (project_id, app, options = {}) =>
      listing(async (cursor) => {
        const call = { ...ofApp(project_id, app, options), query: { cursor } }
        const page = await http.call<typeof appReleases.listAppRollouts>(`GET ${base}/{app}/rollouts`, call)
        return { items: page.rollouts, next_cursor: page.next_cursor ?? null }
      }),
    logs: (project_id, app, { release, source, ...options } = {}) => {
      const params = { project_id, app }
      // The program of a release goes on printing after that ended.
      const path =
        release === undefined || source === 'app'
          ? `${requestPath(`${base}/{app}/logs`, params)}${queryOf({ source, release })}`
          : requestPath(`${base}/{app}/releases/{number}/logs`, { ...params, number: String(release) })
      const wanted = (line: AppLogLine) => source === undefined || line.source === source
      return untilEnd(
        resumedStream<AppLogLine | 'end'>(http, path, options, (value) =>
          isLine(value) ? { seq: value.seq, event: value } : { seq: null, event: 'end' },
        ),
        wanted,
      )
    },
    readLog: (project_id, app, { release, ...query } = {}, options = {}) =>
      http.call<typeof routes.readAppLog>(`GET ${base}/{app}/logs`, {
        ...ofApp(project_id, app, options),
        query: { ...query, ...(release !== undefined && { release: String(release) }) },
      }),
    events: (project_id, app, options = {}) =>
      resumedStream(http, requestPath(`${base}/{app}/events`, { project_id, app }), options, (value) =>
        isEvent(value) ? { seq: value.seq, event: value } : null,
      ),
    env: (project_id, app, options = {}) =>
      http.call<typeof routes.readAppEnv>(`GET ${base}/{app}/env`, ofApp(project_id, app, options)),
    metrics: async (project_id, app, query = {}, options = {}) => {
      const call = { ...ofApp(project_id, app, options), query }
      return (await http.call<typeof routes.readAppMetrics>(`GET ${base}/{app}/metrics`, call)).metrics
    },
    metricsOfAll: async (project_id, query = {}, options = {}) => {
      const call = { ...options, params: { project_id }, query }
      const route = 'GET /v1/projects/{project_id}/app-metrics'
      return (await http.call<typeof routes.listAppMetrics>(route, call)).apps
    },
    usage: (project_id, app, options = {}) =>
      http.call<typeof routes.readAppUsage>(`GET ${base}/{app}/usage`, ofApp(project_id, app, options)),
    check: (project_id, body = {}, options = {}) =>
      http.call<typeof routes.checkApps>(`POST ${base}/check`, { ...options, params: { project_id }, body }),
    ofChangeRequest: (project_id, cr_id, options = {}) =>
      http.call<typeof appPreviews.listChangeRequestApps>(
        'GET /v1/projects/{project_id}/change-requests/{cr_id}/apps',
        { ...options, params: { project_id, cr_id } },
      ),
    removePreview: (project_id, cr_id, app, options = {}) =>
      http.call<typeof appPreviews.removeAppPreview>(
        'DELETE /v1/projects/{project_id}/change-requests/{cr_id}/apps/{app}/preview',
        { ...options, params: { project_id, cr_id, app } },
      ),
    enter: (body, options = {}) =>
      http.call<typeof routes.enterApp>('POST /v1/apps/enter', { ...options, body }),
  }
}
