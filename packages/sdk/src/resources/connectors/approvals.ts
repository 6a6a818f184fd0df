import type { connectorCalls as routes } from '@svc/contract'
import type { Http } from '../../http/transport.ts'
import type { RequestOptions } from '../../options.ts'
import type { Approval, DecideApprovalInput, ListApprovalsQuery } from '../../connector-types.ts'

/** Connector calls that are frozen until a person decides. */
export interface Approvals {
  /** At most 100, the one that expires first on top. */
  list(project_id: string, query?: ListApprovalsQuery, options?: RequestOptions): Promise<readonly Approval[]>
  get(project_id: string, call_id: string, options?: RequestOptions): Promise<Approval>
  /**
   * On exactly what `digest` names: 409 `APPROVAL_STALE`, `APPROVAL_NOT_PENDING`. It takes the sign-in of a person (403
   * `person_required`), made a short while ago (`fresh_sign_in_required`), and at times of another one
   * (`second_person_required`).
   */
  decide(
    project_id: string,
    call_id: string,
    input: DecideApprovalInput,
    options?: RequestOptions,
  ): Promise<Approval>
}

const base = '/v1/projects/{project_id}/approvals'

export function approvals(http: Http): Approvals {
  return {
    list: async (project_id, query = {}, options = {}) => {
      const params = { project_id }
      const answer = await http.call<typeof routes.listApprovals>(`GET ${base}`, {
        ...options,
        params,
        query,
      })
      return answer.approvals
    },
    get: (project_id, call_id, options = {}) =>
      http.call<typeof routes.getApproval>(`GET ${base}/{call_id}`, {
        ...options,
        params: { project_id, call_id },
      }),
    decide: (project_id, call_id, body, options = {}) =>
      http.call<typeof routes.decideApproval>(`POST ${base}/{call_id}/decide`, {
        ...options,
        params: { project_id, call_id },
        body,
      }),
  }
}
