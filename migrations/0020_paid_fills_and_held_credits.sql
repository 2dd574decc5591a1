-- Credits that are held count in the account's own row, and a session knows whether its fills are paid.

-- What calls in flight will cost, in the row that every debit locks: a statement that waited for the
-- row sees its newest version, but not the rows that were added to another table meanwhile.
alter table credit_accounts
  add column held integer not null default 0 check (held >= 0);
update credit_accounts set held = promised.credits
from (select user_id, sum(credits) as credits from credit_holds group by user_id) promised
where credit_accounts.user_id = promised.user_id;

create function count_held_credits() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update credit_accounts set held = held + changed.credits
    from (select user_id, sum(credits) as credits from added group by user_id) changed
    where credit_accounts.user_id = changed.user_id;
  else
    update credit_accounts set held = held - changed.credits
    from (select user_id, sum(credits) as credits from removed group by user_id) changed
    where credit_accounts.user_id = changed.user_id;
  end if;
  return null;
end $$;
create trigger credit_holds_added after insert on credit_holds
  referencing new table as added for each statement execute function count_held_credits();
create trigger credit_holds_removed after delete on credit_holds
  referencing old table as removed for each statement execute function count_held_credits();

-- Whether fills are paid for: by session_create, or as a gift of the site. Not for sessions that no
-- feed has filled yet, and not once a fill that came to nothing was paid back.
alter table sessions
  add column fill_is_paid boolean not null default false;
update sessions set fill_is_paid = true
where fill_number > 0 and (fill_debit_id is not null or fill_status <> 'failed');
-- A fill that has brought something has earned its debit.
update sessions set fill_debit_id = null where fill_status = 'ready' and media_count > 0;

-- Refills have left gaps between the positions, which count from 0.
update session_media set position = ordered.place
from (
  select id, row_number() over (partition by session_id order by position)::int - 1 as place
  from session_media
) ordered
where session_media.id = ordered.id and position <> ordered.place;
