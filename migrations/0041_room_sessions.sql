-- The sessions that a room's host put on its list: a remote swaps only among them. Not called
-- session_ids, which is a parameter of notify_room_media and would be hidden there by the column.
alter table rooms add column listed_session_ids integer[] not null default '{}';
