package io.rpcboot.samples.snippets;

/** A contract. */
public interface Cache {

	int evict(String key);

}
