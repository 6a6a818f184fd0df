/**
 * The verdict of an admission that is not kept: nothing is written, held or granted by it. Services that start sessions
 * ask it, which hold no rights on calls and credit.
 */
export const statements: readonly string[] = [
  `create function gateway_would_admit(asked jsonb) returns jsonb
    language plpgsql security definer set search_path from current as $$
    declare verdict jsonb;
    begin
      begin
        verdict := gateway_admit(asked);
        raise exception 'not kept' using errcode = 'SVC01';
      exception when sqlstate 'SVC01' then null;
      end;
      return verdict;
    end $$`,
]
