package com.acme;

/** A class that cannot be annotated; docs/serialization.md names its subtypes. */
public abstract class Shape {

}
