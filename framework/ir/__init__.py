"""The intermediate representation: values, operations, blocks, regions, programs, text form."""
