/** The row of a refused call says which budget had no room for it, and how much room it needed. */
export const statements: readonly string[] = [
  `alter table gateway_calls add column budget_id uuid`,
  `alter table gateway_calls add column floor_micros bigint`,

  `create or replace function gateway_refuse(c gateway_calls, reason text, status integer, details jsonb,
      countable boolean default false) returns jsonb language plpgsql as $$
    begin
      if countable then return jsonb_build_object('outcome', 'refused', 'code', reason, 'countable', true) || details; end if;
      c.status := 'refused'; c.code := reason; c.http_status := status; c.hold_micros := 0; c.cost_micros := 0;
      c.lost_micros := null; c.expires_at := null; c.input_tokens := 0;
      c.budget_id := details -> 'budget' ->> 'budget_id';
      perform gateway_write(c);
      return jsonb_build_object('outcome', 'refused', 'code', reason) || details;
    end $$`,
  `create or replace function gateway_write(c gateway_calls) returns void language sql as $$
    insert into gateway_calls (call_id, at, account_id, project_id, session_id, prompt_id, trigger_slug, agent_name,
      token_id, dialect, model_asked, model, provider, provider_scope, status, live, http_status, code, streamed, attempts,
      input_tokens, cost_micros, hold_micros, price_id, request_id, expires_at, bounded, lost_micros,
      credit_hold_micros, markup_percent, budget_id, floor_micros)
    values (c.call_id, c.at, c.account_id, c.project_id, c.session_id, c.prompt_id, c.trigger_slug, c.agent_name,
      c.token_id, c.dialect, c.model_asked, c.model, c.provider, c.provider_scope, c.status, c.status = 'admitted', c.http_status, c.code,
      c.streamed, c.attempts, c.input_tokens, c.cost_micros, c.hold_micros, c.price_id, c.request_id, c.expires_at,
      c.bounded, c.lost_micros, c.credit_hold_micros, c.markup_percent, c.budget_id, c.floor_micros)
  $$`,
]
