package io.rpcboot.samples.snippets;

public record Item(String article, int count) {

}
