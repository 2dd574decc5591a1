/** Tables whose rows can be in the trash, by the view that leaves those rows out. Nearly everything reads the views. */
export const liveViews: Readonly<Record<string, string>> = {
  sessions: 'live_sessions',
  vault_media: 'live_media',
}

/**
 * SQL: recreates the views whose tables have new columns, because a view keeps the columns that its table
 * had at its creation. The other views stay: replacing a view waits for everyone who reads it.
 */
export const makeLiveViews = `do $$
declare
  one record;
begin
  for one in
    select * from (values ${Object.entries(liveViews)
      .map(([whole, live]) => `('${whole}', '${live}')`)
      .join(', ')}) as listed (whole, live)
    where exists (
      select from information_schema.columns
      where table_schema = 'public' and table_name = listed.whole and column_name = 'trashed_at')
    and exists (
      select column_name from information_schema.columns
      where table_schema = 'public' and table_name = listed.whole
      except select column_name from information_schema.columns
      where table_schema = 'public' and table_name = listed.live)
  loop
    execute format('create or replace view %I as select * from %I where trashed_at is null',
      one.live, one.whole);
  end loop;
end $$`
