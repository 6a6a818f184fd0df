/** Sessions have the model gateway only in projects that were opted in, under a plan that holds it. */
export const statements: readonly string[] = [
  `alter table plans add column gateway text not null default 'own_keys'
    check (gateway in ('off', 'own_keys', 'managed'))`,
  `update plans set gateway = 'managed' where tier in ('team', 'enterprise', 'self_host')`,

  `alter table accounts add column gateway_new_projects boolean not null default false`,
  // The account that an embedded platform made for itself.
  `update accounts set gateway_new_projects = true where account_id in
    (select m.account_id from account_members m join users u using (user_id)
      where m.role = 'owner' and u.email = 'owner@svc.invalid')`,

  // Projects that had the gateway keep it.
  `insert into project_features (project_id, feature, enabled, updated_by, updated_at)
    select project_id, 'model_gateway', true, created_by, now() from projects
    on conflict (project_id, feature) do nothing`,
]
