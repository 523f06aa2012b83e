package org.hibernate.proxy;

/** Double of the interface that all proxies of Hibernate implement. */
public interface HibernateProxy {

	LazyInitializer getHibernateLazyInitializer();

}
