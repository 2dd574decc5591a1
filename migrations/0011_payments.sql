-- Payments: what people buy, how they pay for it, and what proves that they did.

alter table credit_accounts
  -- When a bought tier ends; null where it has no end.
  add column tier_until timestamptz,
  add check (tier <> 'free' or tier_until is null);
create index credit_accounts_tier_until on credit_accounts (tier_until) where tier_until is not null;

-- A tier that is bought with a full balance raises it by nothing, and is a purchase all the same.
alter table credit_transactions
  drop constraint credit_transactions_amount_check,
  drop constraint credit_transactions_check1,
  drop constraint credit_transactions_check2,
  add constraint credit_transactions_amount check (
    case type
      when 'spend' then amount < 0
      when 'grant' then amount <> 0
      when 'purchase' then amount >= 0
      else amount > 0
    end
  );

create table payments (
  id integer generated always as identity primary key,
  -- A payment outlives its user's account, as the transactions do.
  user_id text references users (id) on delete set null,
  -- What the far side calls it by; nobody can guess it.
  reference uuid not null unique,
  method text not null check (method in ('crypto', 'telegram_stars', 'web3')),
  package_id text,
  tier text check (tier in ('joi_curious', 'full_access', 'vip')),
  credits integer not null check (credits > 0),
  price_cents integer not null check (price_cents > 0),
  status text not null default 'pending' check (
    status in ('pending', 'confirming', 'completed', 'expired', 'failed', 'underpaid')
  ),
  -- Where it is paid: the gateway's page, or Telegram's invoice.
  checkout_url text,
  invoice_id text,
  stars integer check (stars > 0),
  -- What it brought, written in the transaction that completed it.
  purchase_id integer unique references credit_transactions (id),
  expires_at timestamptz not null,
  completed_at timestamptz,
  refunded_at timestamptz,
  created_at timestamptz not null,
  check (num_nonnulls(package_id, tier) = 1),
  check ((method = 'telegram_stars') = (stars is not null)),
  check (status <> 'completed' or (completed_at is not null and purchase_id is not null))
);
create index payments_user on payments (user_id, id desc);
create index payments_open on payments (expires_at) where status = 'pending';

-- What the far side took, each once and for one payment: a gateway's payment, a charge, a transaction.
create table payment_charges (
  method text not null,
  charge_id text not null,
  payment_id integer not null references payments (id) on delete cascade,
  -- False where it came for a payment that had been paid already, or for nobody.
  credited boolean not null,
  refunded_at timestamptz,
  created_at timestamptz not null,
  primary key (method, charge_id)
);
create index payment_charges_payment on payment_charges (payment_id);

-- The transfer that a payment on a chain waits for.
create table payment_transfers (
  payment_id integer primary key references payments (id) on delete cascade,
  chain_id bigint not null,
  token text not null,
  recipient text not null,
  -- In the token's base units.
  amount numeric(78, 0) not null check (amount > 0),
  -- The same amount, for as long as nobody else may be asked for it.
  reserved_amount numeric(78, 0) unique,
  -- Transfers before this block are not for this payment.
  from_block bigint not null,
  -- Blocks before this one have been looked through.
  scan_from_block bigint not null,
  submitted_tx_hash text,
  tx_hash text unique,
  tx_block bigint,
  check ((tx_hash is null) = (tx_block is null))
);
