package io.rpcboot.internal.serialization.protobuf;

/** A class with the name of another one. */
public record CharacterUnicodeScript(int id) {
}
