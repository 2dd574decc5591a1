/** Empties the database between tests. Deleting a few rows is much cheaper than truncating. */
import { sql } from 'kysely'
import type { Context } from '../../src/server/context.ts'

/** Tables that migrations fill and tests do not change. */
const seeded = ['schema_migrations', 'tags', 'categories', 'feature_pricing']

// Without triggers, including those of foreign keys, the order of the tables does not matter.
const emptyAll = `do $$
declare
  one record;
begin
  set local session_replication_role = replica;
  for one in
    select format('%I.%I', nspname, relname) as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where (nspname in ('public', 'partitions')
          and relname not in (${seeded.map((name) => `'${name}'`).join()})
        or pg_class.oid = 'pgboss.job'::regclass
        or exists (select from pg_inherits
          where inhparent = 'pgboss.job'::regclass and inhrelid = pg_class.oid))
      -- Most have never been written to, and a statement for each would be most of the work.
      and relkind = 'r' and pg_relation_size(pg_class.oid) > 0
  loop
    execute 'delete from ' || one.name;
  end loop;
  perform setval(seqrelid, seqstart, false)
    from pg_sequence join pg_class on pg_class.oid = seqrelid
    where relnamespace = 'public'::regnamespace and relname !~ '^(${seeded.join('|')})_';
end $$`

export async function emptyDatabase({ db }: Context): Promise<void> {
  for (let triesLeft = 5; ; triesLeft -= 1) {
    try {
      await sql.raw(emptyAll).execute(db)
      return
    } catch (error) {
      // Work of the previous test may still be ending.
      if (!/deadlock/.test(String(error)) || triesLeft === 0) throw error
    }
  }
}
