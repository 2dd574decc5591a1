-- Administration: lists that grow, whose account something was done to, and what a deleted account
-- leaves behind in other people's rows.

create index users_newest on users (created_at desc, id desc);

alter table activity_log
  -- Whose account it was done to. Details name nobody, so that nobody has to be removed from them.
  add column target_user_id text references users (id) on delete set null;
create index activity_log_target on activity_log (target_user_id, id desc)
  where target_user_id is not null;
create index activity_log_action on activity_log (action, id desc);

-- What moved lately: the table only grows at its end, so this costs next to nothing.
create index credit_transactions_newest on credit_transactions using brin (created_at);
-- Who gave credits to whom, for when they leave.
create index credit_transactions_granter on credit_transactions ((metadata ->> 'grantedBy'))
  where metadata ? 'grantedBy';
