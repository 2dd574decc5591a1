-- Whether guests of a link may download its session.
alter table session_shares add column download boolean not null default false;
