-- Where collections live: apart from public, so that no collection's name can mean another relation.
create schema if not exists collections;
