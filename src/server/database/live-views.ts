/**
 * The tables whose rows can be in the trash, without those that are: what nearly everything reads. Made
 * anew in the transaction of each migration, because a view has the columns that its table had when it
 * was made.
 */
export const makeLiveViews = `do $$
declare
  one record;
begin
  for one in
    select * from (values ('sessions', 'live_sessions'), ('vault_media', 'live_media'))
      as listed (whole, live)
    where exists (
      select from information_schema.columns
      where table_schema = 'public' and table_name = listed.whole and column_name = 'trashed_at')
  loop
    execute format('create or replace view %I as select * from %I where trashed_at is null',
      one.live, one.whole);
  end loop;
end $$`
