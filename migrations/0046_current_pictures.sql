-- The picture of a profile and that of a session are files that only an address names. Whichever
-- statement changes the address, the file that it named is due to be removed, and the new one stays.

-- The file that an address names, where it lies in that folder of its owner.
create function own_picture_key(address text, owner text, folder text) returns text
  language sql immutable as $$
  select case when starts_with(key, 'users/' || owner || '/' || folder || '/') then key end
  from (select substring(address from '/media/user-media/([^?#]+)\?') as key) named
$$;

create function replace_picture(replaced text, kept text) returns void language plpgsql as $$
begin
  if kept is not null then
    delete from unclaimed_files
    where bucket = 'user-media' and key = kept and removing_until is null;
  end if;
  if replaced is not null then
    insert into unclaimed_files (bucket, key, remove_after)
    values ('user-media', replaced, '-infinity')
    on conflict (bucket, key) do update set remove_after = excluded.remove_after;
  end if;
end $$;

create function replace_profile_picture() returns trigger language plpgsql as $$
declare
  replaced text := own_picture_key(old.profile_image_url, old.id, 'Profile');
  kept text := own_picture_key(new.profile_image_url, new.id, 'Profile');
begin
  perform replace_picture(case when replaced is distinct from kept then replaced end, kept);
  return null;
end $$;
create trigger profile_picture_replaced after update of profile_image_url on users
  for each row when (old.profile_image_url is distinct from new.profile_image_url)
  execute function replace_profile_picture();

create function replace_session_picture() returns trigger language plpgsql as $$
declare
  replaced text := case when tg_op <> 'INSERT'
    then own_picture_key(old.thumbnail, old.user_id, 'Thumbnails') end;
  kept text := case when tg_op <> 'DELETE'
    then own_picture_key(new.thumbnail, new.user_id, 'Thumbnails') end;
begin
  -- Another session of the same owner may show it too.
  if replaced = kept or exists (
    select from sessions other
    where other.user_id = old.user_id and other.thumbnail = old.thumbnail) then
    replaced := null;
  end if;
  perform replace_picture(replaced, kept);
  return null;
end $$;
create trigger session_picture_given after insert on sessions
  for each row when (new.thumbnail like '%/Thumbnails/%')
  execute function replace_session_picture();
create trigger session_picture_replaced after update of thumbnail on sessions
  for each row when (old.thumbnail is distinct from new.thumbnail)
  execute function replace_session_picture();
create trigger session_picture_removed after delete on sessions
  for each row when (old.thumbnail like '%/Thumbnails/%')
  execute function replace_session_picture();
