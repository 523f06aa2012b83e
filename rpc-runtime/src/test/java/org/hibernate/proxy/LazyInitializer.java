package org.hibernate.proxy;

/** Double of the part of Hibernate that loads the entity of a proxy. */
public interface LazyInitializer {

	boolean isUninitialized();

	Object getImplementation();

}
